//! Names alike, for "did you mean".

/// The candidate that is most like `name`, if one is alike at all: a third of it may differ.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let alike = |(distance, candidate): &(usize, &str)| {
        *distance <= name.chars().count().max(candidate.chars().count()) / 3
    };
    let distances = candidates.into_iter().map(|it| (distance(name, it), it));
    distances.filter(alike).min().map(|(_, candidate)| candidate)
}

/// Names longer than this are hardly typed by hand.
const LONGEST: usize = 60;

/// The number of characters to insert, remove or exchange, also with their neighbour; upper and
/// lower case are the same.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len().abs_diff(b.len()) > 4 || a.len() > LONGEST {
        return usize::MAX;
    }
    let (mut before, mut above) = (vec![], (0..=b.len()).collect::<Vec<_>>());
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let exchange = above[j] + usize::from(x != y);
            let mut least = exchange.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        (before, above) = (above, row);
    }
    above[b.len()]
}
