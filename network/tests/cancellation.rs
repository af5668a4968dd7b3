//! Work ends where it asks, if it is the work that is to end.

use network::cancellation::{Cancellation, Cause, attempt, cause, check, check_room, inherited};
use std::panic::{catch_unwind, resume_unwind};

#[test]
fn work_ends_where_it_asks() {
    let cancellation = Cancellation::default();
    cancellation.during(|| {
        assert_eq!(attempt(|| 1), Ok(1));
        for cause in [Cause::Time, Cause::Memory, Cause::Interruption] {
            let mut done = 0;
            let work = attempt(|| {
                for round in 0.. {
                    done += 1;
                    if round == 2 {
                        cancellation.end(cause);
                    }
                    check();
                }
            });
            assert_eq!((work, done), (Err(cause), 3));
            cancellation.renew();
            check();
        }
        cancellation.allow_memory(100);
        assert_eq!(attempt(|| check_room(100)), Ok(()));
        assert_eq!(attempt(|| check_room(101)), Err(Cause::Memory));
    });
    let defect = catch_unwind(|| attempt(|| resume_unwind(Box::new("a defect"))));
    assert!(defect.is_err_and(|payload| payload.is::<&str>()));
}

/// Whatever happens to others, and whoever has used the same signal before.
#[test]
fn work_is_ended_by_its_own_handle() {
    for _ in 0..100 {
        let (one, other) = (Cancellation::default(), Cancellation::default());
        one.end(Cause::Time);
        one.allow_memory(0);
        assert_eq!(other.during(|| attempt(|| check_room(1))), Ok(()));
        assert_eq!(one.during(|| attempt(check)), Err(Cause::Time));
        assert_eq!(one.during(|| other.during(cause)), None);
        assert_eq!(other.during(|| one.during(cause)), Some(Cause::Time));
    }
    check();
}

#[test]
fn threads_have_the_handle_they_are_given() {
    let cancellation = Cancellation::default();
    cancellation.end(Cause::Interruption);
    let (alone, given) = cancellation.during(|| {
        let given = inherited();
        std::thread::scope(|scope| {
            let alone = scope.spawn(cause).join().expect("no panic");
            let given = scope.spawn(move || given.during(cause)).join().expect("no panic");
            (alone, given)
        })
    });
    assert_eq!((alone, given), (None, Some(Cause::Interruption)));
}

/// A thread has its former cancellation again when work has ended, even by unwinding.
#[test]
fn handles_are_given_back() {
    let cancellation = Cancellation::default();
    cancellation.end(Cause::Time);
    assert_eq!(attempt(|| cancellation.during(check)), Err(Cause::Time));
    check();
}
