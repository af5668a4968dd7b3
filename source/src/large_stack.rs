//! Room for recursion over trees that are bounded in height, but followed by several passes at
//! once, or from function to function.

use network::cancellation;

const STACK: usize = 128 << 20;

/// Runs `work` in a thread with a large stack, or here if there cannot be one.
pub fn on_large_stack<R: Send>(work: impl Fn() -> R + Sync) -> R {
    let inherited = cancellation::inherited();
    let thread = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| match thread.spawn_scoped(scope, || inherited.during(&work)) {
        Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => work(),
    })
}
