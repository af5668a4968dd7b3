//! Numbers that whoever runs a test may choose, to search further than it does by itself.

/// The number in a variable of the environment; otherwise the usual one.
pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
