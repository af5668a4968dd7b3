//! Compares random programs, and shrinks those that differ.

use crate::answer::Question;
use crate::compare::{Difference, differences, joined};
use crate::count::load;
use crate::settings::Settings;
use crate::spin::Spin;
use crate::vizsla::Vizsla;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use testing::texts::{Program, generate, shrink};
use vizsla::Input;

/// What became of the programs.
#[derive(Default)]
struct Tally {
    equal: u64,
    different: u64,
    /// By Spin, whoever else.
    refused: u64,
    large: u64,
}

/// Compares random programs; whether all are equal.
pub fn run(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let tools = Tools::new(settings, folder)?;
    let mut tally = Tally::default();
    let bfs = settings.bfs;
    let question = Question { space: true, errors: true, breadth_first: bfs, claims: true };
    for seed in (settings.seed..).take(settings.random.unwrap_or(0) as usize) {
        let program = generate(seed, &settings.weights);
        match tools.compare(&program, question)? {
            Compared::Equal => tally.equal += 1,
            Compared::Refused(why) => {
                tally.refused += 1;
                println!("seed {seed}: {why}");
            }
            Compared::Large => tally.large += 1,
            Compared::Different(found) => {
                tally.different += 1;
                println!("\n## Seed {seed}: {}\n", joined(&found));
                tools.show(program, &found, question)?;
            }
        }
    }
    let Tally { equal, different, refused, large } = tally;
    println!("{equal} equal, {different} different, {refused} refused by Spin, {large} too large");
    Ok(different == 0)
}

/// Prints programs without comparing them.
pub fn print(settings: &Settings) {
    for seed in (settings.seed..).take(settings.random.unwrap_or(0) as usize) {
        println!("// seed {seed}\n{}", generate(seed, &settings.weights));
    }
}

/// How many smaller programs are tried for one that differs.
const ATTEMPTS: usize = 500;

struct Tools<'a> {
    settings: &'a Settings,
    spin: Spin<'a>,
    vizsla: Vizsla<'a>,
    file: PathBuf,
}

enum Compared {
    Equal,
    Different(Vec<Difference>),
    Refused(String),
    Large,
}

impl<'a> Tools<'a> {
    fn new(settings: &'a Settings, folder: &Path) -> Result<Self, String> {
        let file = folder.join("random.pml");
        let (spin, vizsla) = (Spin::new(settings, folder), Vizsla::new(settings)?);
        Ok(Tools { settings, spin, vizsla, file })
    }

    /// Prints a program that differs, as small as possible.
    fn show(
        &self,
        program: Program,
        found: &[Difference],
        question: Question,
    ) -> Result<(), String> {
        let Some(first) = found.first().filter(|_| self.settings.shrink) else {
            println!("```promela\n{program}```");
            return Ok(());
        };
        let smallest = self.smallest(program, first);
        println!("```promela\n{smallest}```");
        if let Compared::Different(found) = self.compare(&smallest, question)? {
            println!("Spin / Vizsla: {}", joined(&found));
        }
        Ok(())
    }

    fn compare(&self, program: &Program, question: Question) -> Result<Compared, String> {
        std::fs::write(&self.file, program.to_string()).map_err(|error| error.to_string())?;
        // Ours first: it knows the limit of states, and takes no compiler.
        let ours = self.vizsla.ask(&self.file, question);
        if ours.incomplete {
            return Ok(Compared::Large);
        }
        let theirs = self.spin.ask(&self.file, question)?;
        // What Spin refuses has no meaning to compare with.
        if let Some(why) = theirs.refused {
            return Ok(Compared::Refused(why));
        }
        let found = differences(&theirs, &ours);
        Ok(match found.is_empty() {
            true if theirs.incomplete => Compared::Large,
            true => Compared::Equal,
            false => Compared::Different(found),
        })
    }

    /// Makes a program smaller as long as the first difference stays.
    fn smallest(&self, program: Program, difference: &Difference) -> Program {
        let question = difference.question();
        let mut tried = HashSet::new();
        let mut keeps = |candidate: &Program| {
            let text = candidate.to_string();
            // Most cuts leave something undeclared, which is seen at once.
            let valid =
                difference.is_refusal() || load(Input::text("random.pml", text.as_str())).is_ok();
            if !valid || tried.len() >= ATTEMPTS || !tried.insert(text) {
                return false;
            }
            let compared = self.compare(candidate, question);
            matches!(compared, Ok(Compared::Different(now))
                if now.iter().any(|it| it.topic == difference.topic))
        };
        shrink(program, &mut keeps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::texts::Weights;

    #[test]
    fn programs_are_accepted() {
        let weights = Weights::default();
        for seed in 0..400 {
            let text = generate(seed, &weights).to_string();
            let model = load(Input::text("random.pml", text.as_str()));
            assert!(model.is_ok(), "seed {seed}: {:?}\n{text}", model.err());
        }
    }
}
