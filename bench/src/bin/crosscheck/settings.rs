//! The command line of `crosscheck`.

use bench::crosscheck::{Language, Options, Text};
use std::path::PathBuf;

/// How to use it.
pub const USAGE: &str = "\
crosscheck [--seconds N] [--seed S] [--models N] [--language uppaal|promela]
  --seconds N    stop after that time (600, unless --models is given)
  --seed S       the seed of the first model; the others follow (0)
  --models N     only so many: `--seed S --models 1` looks at one
  --language L   only models of that language
  --all          every combination of search, heuristic, abstraction and --plain
  --no-shrink    leave models as they are
  --vizsla FILE  the command to check (the one of the same build)
  --print        only print the models";

/// What to check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When to stop.
    pub seconds: f64,
    seed: u64,
    models: Option<u64>,
    /// The command to check.
    pub vizsla: Option<PathBuf>,
    /// Only print the models.
    pub print: bool,
    /// How much to do with each.
    pub options: Options,
}

impl Settings {
    /// Reads the command line.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Settings, String> {
        let mut settings = Settings {
            seconds: 600.0,
            seed: 0,
            models: None,
            vizsla: None,
            print: false,
            options: Options { all: false, shrink: true, language: None },
        };
        let (mut rest, mut seconds) = (arguments, None);
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--seconds" => seconds = Some(number(&value()?)?),
                "--seed" => settings.seed = number(&value()?)?,
                "--models" => settings.models = Some(number(&value()?)?),
                "--vizsla" => settings.vizsla = Some(value()?.into()),
                "--language" => settings.options.language = Some(language(&value()?)?),
                "--all" => settings.options.all = true,
                "--no-shrink" => settings.options.shrink = false,
                "--print" => settings.print = true,
                _ => return Err(format!("what is `{argument}`?")),
            }
        }
        let default = if settings.models.is_some() { f64::from(u32::MAX) } else { 600.0 };
        settings.seconds = seconds.unwrap_or(default);
        Ok(settings)
    }

    /// The seeds to look at.
    pub fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        (self.seed..).take(self.models.map_or(usize::MAX, |n| n as usize))
    }

    /// The texts of these seeds, ten if nobody says how many.
    pub fn texts(&self) -> impl Iterator<Item = (u64, Text)> + use<'_> {
        let count = self.models.unwrap_or(10) as usize;
        let language = self.options.language;
        self.seeds().take(count).map(move |seed| (seed, Text::of_seed(language, seed)))
    }
}

fn language(name: &str) -> Result<Language, String> {
    match name {
        "uppaal" => Ok(Language::Uppaal),
        "promela" => Ok(Language::Promela),
        _ => Err(format!("`{name}` is no language")),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that fits here"))
}
