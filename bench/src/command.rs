//! Runs other programs with a time limit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a program did.
pub struct Run {
    /// Its standard output.
    pub output: String,
    /// The last lines of its standard error.
    pub errors: String,
    /// Whether it ended by itself, without complaint.
    pub success: bool,
    /// Its exit code; none if it was ended, or ended itself by a signal.
    pub code: Option<i32>,
    /// Whether it was ended because its time was over.
    pub late: bool,
    /// How long it took.
    pub seconds: f64,
}

/// The `vizsla` beside this program.
pub fn vizsla() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.with_file_name("vizsla");
    match program.exists() {
        true => Ok(program),
        false => Err("there is no `vizsla`: cargo build --release -p vizsla-cli -p bench".into()),
    }
}

/// The instructions of a run that may take some seconds, counted by valgrind.
pub fn instructions(arguments: &[&str], folder: &Path, seconds: f64) -> Result<f64, String> {
    let program = vizsla()?.display().to_string();
    let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null", &program];
    let run = run("valgrind", &[&tool[..], arguments].concat(), folder, seconds)?;
    let count = run.errors.lines().rev().find_map(|line| line.split_once("Collected :"));
    let count = count.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind counted nothing: {}", run.errors))
}

/// Runs a program in a folder, for some seconds at most; an error if it cannot be started.
pub fn run(
    program: impl AsRef<Path>,
    arguments: &[&str],
    folder: &Path,
    seconds: f64,
) -> Result<Run, String> {
    let program = program.as_ref();
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    // Both pipes are emptied while the program runs: a full one would stop it.
    let output = collect(child.stdout.take());
    let errors = collect(child.stderr.take());
    let status = wait(&mut child, start + Duration::from_secs_f64(seconds));
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Run {
        output: text(output),
        errors: text(errors),
        success: status.is_some_and(|status| status.success()),
        code: status.and_then(|status| status.code()),
        late: status.is_none(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A program that is ended closes its pipe; what came until then is kept.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The status of a program that ends in time; otherwise it is ended.
fn wait(child: &mut Child, until: Instant) -> Option<std::process::ExitStatus> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= until {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
