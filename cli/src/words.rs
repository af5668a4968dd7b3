//! Numbers and texts for people: thousands, bytes, seconds, lines that fit.

/// `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 step`, `2 steps`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// `1.5 GiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = if value < 10.0 { 1 } else { 0 };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// `0.3 ms`, `12 ms`, `4.2 s`, `3 min 5 s`.
pub fn seconds(seconds: f64) -> String {
    if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1000.0)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        let whole = seconds as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

/// Text of a model for a terminal: every control character is replaced by a sign for it, so that no
/// model moves the cursor, changes colours or turns the direction of writing.
pub fn visible(text: &str) -> String {
    text.chars().map(visible_character).collect()
}

fn visible_character(character: char) -> char {
    match character {
        '\t' | '\n' => character,
        '\0'..='\x1f' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => character,
    }
}

/// Breaks items, separated by commas, into lines of at most `width` characters; an item longer than
/// that has a line of its own.
pub fn wrap(items: &[String], width: usize) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    let comma = |i: usize| if i < last { "," } else { "" };
    break_lines(items.iter().enumerate().map(|(i, item)| format!("{item}{}", comma(i))), width)
}

/// Breaks a text between words into lines of at most `width` characters.
pub fn fill(text: &str, width: usize) -> String {
    break_lines(text.split_whitespace().map(str::to_string), width).join("\n")
}

fn break_lines(pieces: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= width => {
                line.push(' ');
                line.push_str(&piece);
            }
            _ => lines.push(piece),
        }
    }
    lines
}

/// The text, or as much of it as fits with dots after it.
pub fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(1234567), "1,234,567");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(1 << 30), "1.0 GiB");
        assert_eq!(bytes(1023 << 10), "1.0 MiB");
        assert_eq!(seconds(0.00124), "1.2 ms");
        assert_eq!(seconds(0.0126), "13 ms");
        assert_eq!(seconds(4.21), "4.2 s");
        assert_eq!(seconds(185.9), "3 min 5 s");
    }

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(visible("a\x1b[31mb\x07\x7f\r"), "a\u{241b}[31mb\u{2407}\u{2421}\u{240d}");
        assert_eq!(visible("\u{9b}2J \u{202e}x"), "\u{fffd}2J \u{fffd}x");
        assert_eq!(visible("ä\tö\n"), "ä\tö\n");
    }

    #[test]
    fn items_are_wrapped() {
        let items = ["a = 1", "b = 2", "c = 3"].map(String::from);
        assert_eq!(wrap(&items, 13), ["a = 1, b = 2,", "c = 3"]);
        assert_eq!(wrap(&items, 1), ["a = 1,", "b = 2,", "c = 3"]);
        assert!(wrap(&[], 10).is_empty());
        assert_eq!(fill("one two three", 7), "one two\nthree");
    }
}
