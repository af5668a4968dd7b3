//! Checks random texts in many ways and prints what cannot be right: see `bench/src/crosscheck.rs`.
//!
//! Needs the `vizsla` of the same build, and makes it if cargo runs this. The exit code is 0 if everything fits, 1 if something does
//! not, 2 if nothing can be checked.

mod settings;

use bench::crosscheck::{Session, Vizsla};
use settings::{Settings, USAGE};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("crosscheck: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&settings) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(message) => {
            eprintln!("crosscheck: {message}");
            ExitCode::from(2)
        }
    }
}

/// How much does not fit.
fn run(settings: &Settings) -> Result<u64, String> {
    if settings.print {
        settings.texts().for_each(|(seed, text)| {
            println!("// seed {seed}: {}\n{}", text.question().join(" "), text.source());
        });
        return Ok(0);
    }
    let program = program(settings)?;
    let folder = std::env::temp_dir().join(format!("crosscheck-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut session = Session::new(Vizsla::new(program, &folder), settings.options);
    let result = go_on(settings, &mut session);
    // What is left behind there does no harm.
    let _ = std::fs::remove_dir_all(folder);
    print!("{}", session.tally);
    result.map(|()| session.tally.findings)
}

/// The `vizsla` of the user's choice, or the one beside this program.
fn program(settings: &Settings) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = match &settings.vizsla {
        Some(program) => program.clone(),
        None => {
            build()?;
            own.with_file_name("vizsla")
        }
    };
    let nothing =
        |_| format!("there is no {}: cargo build --release -p vizsla-cli", program.display());
    program.canonicalize().map_err(nothing)
}

/// Whoever calls this by `cargo run --release` wants to check the `vizsla` of the same sources.
fn build() -> Result<(), String> {
    let Some(cargo) = std::env::var_os("CARGO") else { return Ok(()) };
    let arguments = ["build", "--release", "--quiet", "-p", "vizsla-cli"];
    let built = Command::new(cargo).args(arguments).status();
    match built.map_err(|error| error.to_string())?.success() {
        true => Ok(()),
        false => Err("vizsla cannot be built".to_string()),
    }
}

fn go_on(settings: &Settings, session: &mut Session) -> Result<(), String> {
    let until = Instant::now() + Duration::from_secs_f64(settings.seconds);
    for seed in settings.seeds() {
        if Instant::now() >= until {
            break;
        }
        for finding in session.seed(seed)? {
            println!("{finding}");
        }
    }
    Ok(())
}
