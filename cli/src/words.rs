//! Numbers and texts for people: thousands, bytes, seconds, exact times, lines that fit.

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

/// An exact number of time units, in lowest terms: `3/2`.
pub fn rational(ticks: i128, scale: i64) -> String {
    let scale = i128::from(scale).max(1);
    let divisor = gcd(ticks.unsigned_abs(), scale.unsigned_abs()).max(1) as i128;
    let (top, bottom) = (ticks / divisor, scale / divisor);
    if bottom == 1 { top.to_string() } else { format!("{top}/{bottom}") }
}

/// The ticks of an exact number of time units, if it is one and no fraction of a tick is left.
pub fn ticks(text: &str, scale: i64) -> Option<i64> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let (top, bottom): (i64, i64) = (top.parse().ok()?, bottom.parse().ok()?);
    if bottom < 1 {
        return None;
    }
    let product = i128::from(top) * i128::from(scale);
    let whole = product % i128::from(bottom) == 0;
    whole.then(|| i64::try_from(product / i128::from(bottom)).ok()).flatten()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
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

/// The text, or as much of it as fits with dots behind it.
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
    fn times_are_exact_both_ways() {
        assert_eq!(rational(3, 2), "3/2");
        assert_eq!(rational(4, 2), "2");
        assert_eq!(rational(0, 7), "0");
        assert_eq!(rational(-2, 4), "-1/2");
        assert_eq!(ticks("3/2", 4), Some(6));
        assert_eq!(ticks("3/2", 3), None);
        assert_eq!(ticks("-2", 3), Some(-6));
        assert_eq!(ticks("1/0", 3), None);
        assert_eq!(ticks("1/-1", 3), None);
        assert_eq!(ticks("9223372036854775807", 2), None);
        assert_eq!(ticks("x", 1), None);
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
