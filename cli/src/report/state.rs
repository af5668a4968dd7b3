//! All that a state holds, on few lines: arrays as lists, equal neighbours counted.

use crate::words;
use vizsla::Model;
use vizsla::trace_file::{ChangeKind, HeldEntry};

/// The state in lines of a width, without observers. Of a Promela model, what belongs to processes
/// that do not run and the numbers by which processes are counted are left out: they are not part of
/// the model's state.
pub fn lines(model: &Model, held: &[HeldEntry], processes: bool, width: usize) -> Vec<String> {
    let gone = absent(model, held);
    let is_gone = |name: &str| gone.iter().any(|process| belongs(name, process));
    let observers = || model.network.processes.iter().filter(|process| process.observes);
    let observes = |it: &HeldEntry| {
        it.kind == ChangeKind::Location && observers().any(|process| process.name == it.name)
    };
    let is_told =
        |it: &&HeldEntry| !is_gone(&it.name) && !is_bookkeeping(model, &it.name) && !observes(it);
    let told: Vec<&HeldEntry> = held.iter().filter(is_told).collect();
    let kinds = [
        ("processes", ChangeKind::Location),
        ("variables", ChangeKind::Variable),
        ("channels", ChangeKind::Channel),
        ("clocks", ChangeKind::Clock),
    ];
    let mut lines = Vec::new();
    for (title, kind) in kinds {
        let of_kind: Vec<&HeldEntry> = told.iter().copied().filter(|it| it.kind == kind).collect();
        if of_kind.is_empty() || kind == ChangeKind::Location && !processes {
            continue;
        }
        let items: Vec<String> = match kind {
            ChangeKind::Location => of_kind.iter().map(|it| standing(model, it)).collect(),
            _ => grouped(&of_kind),
        };
        let indent = "processes  ".len();
        let wrapped = words::wrap(&items, width.saturating_sub(indent).max(20));
        for (i, line) in wrapped.iter().enumerate() {
            let title = if i == 0 { title } else { "" };
            lines.push(format!("{title:<indent$}{line}"));
        }
    }
    if lines.is_empty() {
        lines.push("there is nothing but processes".to_string());
    }
    lines
}

fn standing(model: &Model, entry: &HeldEntry) -> String {
    let location = entry.shown();
    let place = match line(model, &location) {
        Some(line) => format!("in line {line}"),
        None => format!("at {location}"),
    };
    words::visible(&format!("{} {place}", entry.name))
}

/// The line after which a location of a Promela model is called that has no label: `s12`, `s12_2`.
pub fn line<'l>(model: &Model, location: &'l str) -> Option<&'l str> {
    if !model.is_promela() {
        return None;
    }
    let line = location.strip_prefix('s')?.split('_').next()?;
    (!line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())).then_some(line)
}

/// The processes of a Promela model that do not run.
fn absent<'a>(model: &Model, held: &'a [HeldEntry]) -> Vec<&'a str> {
    if !model.is_promela() {
        return Vec::new();
    }
    let gone = |it: &&HeldEntry| it.kind == ChangeKind::Location && it.value.to_string() == "-";
    held.iter().filter(gone).map(|it| it.name.as_str()).collect()
}

/// Whether something is a process or one of its variables.
pub fn belongs(name: &str, process: &str) -> bool {
    name.strip_prefix(process).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a variable only counts the processes of a Promela model.
pub fn is_bookkeeping(model: &Model, name: &str) -> bool {
    model.is_promela() && (name == "_nr_pr" || name.ends_with("._pid"))
}

/// `x = 1`, `a = [0, 0, 3]`: neighbours that differ in their last index only are one item.
fn grouped(entries: &[&HeldEntry]) -> Vec<String> {
    let mut items = Vec::new();
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let array = array(&first.name);
        let same = |it: &&&HeldEntry| array.is_some() && self::array(&it.name) == array;
        let count = rest.iter().take_while(same).count().max(1);
        let (group, others) = rest.split_at(count);
        let values: Vec<String> = group.iter().map(|it| it.shown()).collect();
        items.push(words::visible(&match (array, group) {
            (Some(name), [_, _, ..]) => format!("{name} = {}", list(&values)),
            _ => format!("{} = {}", first.name, values[0]),
        }));
        rest = others;
    }
    items
}

/// `a[1]` of `a[1][2]`, if it is the first or a later element.
fn array(name: &str) -> Option<&str> {
    let open = name.strip_suffix(']')?.rfind('[')?;
    Some(&name[..open])
}

/// `[0, 1, 2]`; many equal neighbours are counted: `[0 × 20, 1]`.
fn list(values: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|it| *it == first).count();
        match count {
            1..=3 => parts.extend(rest[..count].iter().cloned()),
            _ => parts.push(format!("{first} × {count}")),
        }
        rest = &rest[count..];
    }
    format!("[{}]", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vizsla::trace_file::Value;

    fn entry(name: &str, value: i32) -> HeldEntry {
        let text = value.to_string();
        HeldEntry::new(ChangeKind::Variable, name.into(), Value::Number(value), text)
    }

    #[test]
    fn arrays_are_lists() {
        let mut held = vec![entry("x", 1), entry("a[0][0]", 1), entry("a[0][1]", 2)];
        held.extend((0..5).map(|i| entry(&format!("b[{i}]"), 0)));
        held.push(entry("b.y", 7));
        let held: Vec<&HeldEntry> = held.iter().collect();
        assert_eq!(grouped(&held), ["x = 1", "a[0] = [1, 2]", "b = [0 × 5]", "b.y = 7"]);
    }
}
