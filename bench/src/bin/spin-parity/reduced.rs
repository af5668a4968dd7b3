//! How many states both tools store where they make use of their reductions, in a full search that looks for
//! nothing: a table in Markdown.

use crate::settings::Settings;
use crate::spin::Spin;
use crate::table::short;
use crate::vizsla::Vizsla;
use std::path::Path;

/// What a full search stores; none if it did not come to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stored {
    /// As the tool comes.
    pub usual: Option<u64>,
    /// Without partial order.
    pub unordered: Option<u64>,
}

const HEAD: &str = "| model | Spin, `-DNOREDUCE` | Vizsla, `off` | Spin | Vizsla, `on` |\n\
    |---|--:|--:|--:|--:|";

/// Compares the models of the settings; whether Spin stores fewer states nowhere without partial order.
pub fn run(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let (spin, vizsla) = (Spin::new(settings, folder), Vizsla::new(settings)?);
    println!("{HEAD}");
    let (mut fewer, mut fewer_unordered) = (0, 0);
    for model in &settings.models {
        let (theirs, ours) = (spin.stored(model)?, vizsla.stored(model));
        let unordered = [theirs.unordered, ours.unordered];
        let usual = [theirs.usual, ours.usual];
        fewer += usize::from(is_fewer(usual));
        fewer_unordered += usize::from(is_fewer(unordered));
        println!("| {} | {} | {} |", short(model), pair(unordered), pair(usual));
    }
    println!(
        "\n{} models; Spin stores fewer states in {fewer_unordered} without partial order, in {fewer} with it",
        settings.models.len()
    );
    Ok(fewer_unordered == 0)
}

fn is_fewer([theirs, ours]: [Option<u64>; 2]) -> bool {
    matches!((theirs, ours), (Some(theirs), Some(ours)) if theirs < ours)
}

/// Both numbers, that of Spin in bold if it is less.
fn pair(both: [Option<u64>; 2]) -> String {
    let [theirs, ours] = both.map(|stored| stored.map_or("–".to_string(), |it| it.to_string()));
    match is_fewer(both) {
        true => format!("**{theirs}** | {ours}"),
        false => format!("{theirs} | {ours}"),
    }
}
