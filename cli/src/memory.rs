//! How much memory the process takes, as far as the system tells.

/// Bytes of memory in use now.
#[cfg(target_os = "linux")]
pub fn now() -> Option<u64> {
    field("VmRSS:")
}

/// Bytes of memory in use now.
#[cfg(not(target_os = "linux"))]
pub fn now() -> Option<u64> {
    memory_stats::memory_stats().map(|memory| memory.physical_mem as u64)
}

/// The greatest number of bytes in use since the start or the last [`forget_peak`].
pub fn peak() -> Option<u64> {
    field("VmHWM:").or_else(now)
}

/// Starts the measurement of the peak anew, where the system lets us.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn field(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
