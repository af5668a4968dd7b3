//! Runs Promela models, or random programs, through Spin and through Vizsla and prints every
//! difference: verdicts, states and transitions of the plain semantics, lengths of breadth-first
//! traces; and what both cost.
//!
//! Needs `spin` and `gcc`, and the `vizsla` of the same build. The exit code is 0 if nothing differs,
//! 1 if something does, 2 if the comparison cannot be made. Start reading at `folder.rs`.

mod answer;
mod compare;
mod count;
mod folder;
mod random;
mod reduced;
mod settings;
mod spin;
mod table;
mod vizsla;

use settings::{Settings, USAGE};
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("spin-parity: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("spin-parity: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing differs.
fn run(settings: &Settings) -> Result<bool, String> {
    if settings.print {
        random::print(settings);
        return Ok(true);
    }
    spin::Spin::is_installed()?;
    let folder = std::env::temp_dir().join(format!("spin-parity-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let result = match settings.is_random() {
        true => random::run(settings, &folder),
        false if settings.reduced => reduced::run(settings, &folder),
        false => folder::run(settings, &folder),
    };
    // What is left behind there does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result
}
