//! The command line of `papers`.

use std::path::PathBuf;

/// How to use it.
pub const USAGE: &str = "\
papers [--only TEXT] [--rate | --symmetry | --programs FOLDER]
  --only TEXT      instances whose name contains it
  --rate           evaluations per second of relaxation-layers on C1, instead of the table
  --symmetry       representatives on the families of models that have them, instead of the table
  --programs FOLDER  abstractions on the Promela programs there that have errors, instead of the table
  --seconds N      of each run (20)
  --megabytes N    of each run (2000)
  --models FOLDER  where the models C1, M_R00 ..., arbiter_tree_2 ... are
  --tables FOLDER  where the published tables are";

/// What to measure, and how far to go.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What names of instances must contain.
    pub only: String,
    /// What is measured.
    pub table: Table,
    /// The time limit of a run.
    pub seconds: u64,
    /// The memory limit of a run.
    pub megabytes: u64,
    /// The folder of the models by others.
    pub models: PathBuf,
    /// The folder of the published tables.
    pub tables: PathBuf,
    /// The folder of Promela programs.
    pub programs: PathBuf,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The instances of the papers.
    Papers,
    /// Evaluations per second.
    Rate,
    /// Abstractions on programs with errors.
    Programs,
    /// States that are taken for one.
    Symmetry,
}

impl Default for Settings {
    fn default() -> Settings {
        // Beside the project, where its tests look, too.
        let shared = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
        Settings {
            only: String::new(),
            table: Table::Papers,
            seconds: 20,
            megabytes: 2000,
            models: shared.join("models/timed/avacs"),
            tables: shared.join("papers/tables"),
            programs: PathBuf::new(),
        }
    }
}

impl Settings {
    /// Reads the command line.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Settings, String> {
        let mut settings = Settings::default();
        while let Some(name) = arguments.next() {
            let table = match name.as_str() {
                "--rate" => Some(Table::Rate),
                "--symmetry" => Some(Table::Symmetry),
                _ => None,
            };
            if let Some(table) = table {
                settings.table = table;
                continue;
            }
            let value = arguments.next().ok_or(format!("what is {name}?"))?;
            settings.set(&name, value)?;
        }
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: not a number"));
        match name {
            "--only" => self.only = value,
            "--seconds" => self.seconds = number()?,
            "--megabytes" => self.megabytes = number()?,
            "--models" => self.models = value.into(),
            "--tables" => self.tables = value.into(),
            "--programs" => (self.table, self.programs) = (Table::Programs, value.into()),
            _ => return Err(format!("what is {name}?")),
        }
        Ok(())
    }
}
