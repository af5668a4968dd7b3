//! Work ends where it asks. One test, because there is one patience for the whole program.

use network::patience::{Cause, allow_memory, attempt, check, check_room, end, renew};
use std::panic::{catch_unwind, resume_unwind};

#[test]
fn work_ends_where_it_asks() {
    assert_eq!(attempt(|| 1), Ok(1));
    for cause in [Cause::Time, Cause::Memory, Cause::Interruption] {
        let mut done = 0;
        let work = attempt(|| {
            for round in 0.. {
                done += 1;
                if round == 2 {
                    end(cause);
                }
                check();
            }
        });
        assert_eq!((work, done), (Err(cause), 3));
        renew();
        check();
    }
    allow_memory(100);
    assert_eq!(attempt(|| check_room(100)), Ok(()));
    assert_eq!(attempt(|| check_room(101)), Err(Cause::Memory));
    renew();
    let defect = catch_unwind(|| attempt(|| resume_unwind(Box::new("a defect"))));
    assert!(defect.is_err_and(|payload| payload.is::<&str>()));
}
