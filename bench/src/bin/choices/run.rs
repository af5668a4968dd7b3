//! Runs programs with limits, and reads off the processor time they took: other programs on the machine make
//! seconds of the clock worthless.

use std::path::Path;
use std::process::Command;

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of processor time.
    pub seconds: u64,
    /// Memory.
    pub megabytes: u64,
}

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// Its standard output.
    pub output: String,
    /// Its exit code.
    pub code: i32,
    /// Seconds of processor time.
    pub seconds: f64,
}

/// Lets the shell set the limits and report the time of its children on standard error, after what the
/// program says there.
const SCRIPT: &str = "ulimit -t $0; ulimit -v $1; shift; \"$@\"; code=$?; times >&2; exit $code";

/// Runs a program in a folder.
pub fn run(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    limits: Limits,
) -> Result<Run, String> {
    let kilobytes = limits.megabytes * 1024;
    let output = Command::new("sh")
        .args(["-c", SCRIPT, &limits.seconds.to_string(), &kilobytes.to_string()])
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let times = said.lines().last().and_then(|line| line.split(' ').next());
    let seconds = times.and_then(seconds).ok_or("the shell does not say what programs take")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Run { output: text, code: output.status.code().unwrap_or(-1), seconds })
}

/// `1m2.5s` as a number.
fn seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("1m2.500000s"), Some(62.5));
        assert_eq!(seconds("0m0.01s"), Some(0.01));
        assert_eq!(seconds("x"), None);
    }
}
