//! Compares models one after the other and prints a table in Markdown.

use crate::answer::{Answer, Question};
use crate::compare::differences;
use crate::settings::Settings;
use crate::spin::Spin;
use crate::table::{HEAD, outcome, remark, row, short};
use crate::vizsla::Vizsla;
use std::collections::BTreeMap;
use std::path::Path;

/// Compares the models of the settings; whether nothing differs.
pub fn run(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let (spin, vizsla) = (Spin::new(settings, folder), Vizsla::new(settings)?);
    println!("{HEAD}");
    let (mut different, mut remarks, mut outcomes) = (0, Vec::new(), BTreeMap::new());
    let bfs = settings.bfs;
    let question = Question { space: true, errors: true, breadth_first: bfs, claims: true };
    for model in &settings.models {
        let theirs = spin.ask(model, question)?;
        // Where Spin says nothing there is nothing to compare with.
        let ours = if theirs.is_silent() { Answer::default() } else { vizsla.ask(model, question) };
        let found = differences(&theirs, &ours);
        println!("{}", row(&short(model), &theirs, &ours, &found));
        different += usize::from(!found.is_empty());
        *outcomes.entry(outcome(&theirs, &ours, &found)).or_insert(0) += 1;
        remarks.extend(remark(&short(model), &theirs, &ours, &found));
    }
    println!("\n{} models, {different} with differences (Spin / Vizsla)", settings.models.len());
    let counts: Vec<_> = outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("{}\n", counts.join(", "));
    remarks.iter().for_each(|line| println!("{line}"));
    Ok(different == 0)
}
