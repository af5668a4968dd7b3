//! Where two answers differ.

use crate::answer::{Answer, Check, Claim, ErrorKind, Found, Question};

/// A difference between Spin's answer and ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, without numbers.
    pub topic: &'static str,
    /// What Spin says, and what we say.
    pub values: String,
}

impl Difference {
    /// What to ask in order to see it again.
    pub fn question(&self) -> Question {
        let breadth_first = self.topic == LENGTH;
        let errors = self.topic.starts_with("error") || breadth_first;
        let claims = self.topic == CLAIM;
        Question { space: !errors && !claims, errors, breadth_first, claims }
    }

    /// Whether only one of the two takes the model.
    pub fn is_refusal(&self) -> bool {
        [ONLY_SPIN, ONLY_VIZSLA].contains(&self.topic)
    }
}

const LENGTH: &str = "breadth-first length";
const CLAIM: &str = "claim";
const ONLY_SPIN: &str = "only Spin refuses it:";
const ONLY_VIZSLA: &str = "only Vizsla refuses it:";

/// All differences in one line.
pub fn joined(all: &[Difference]) -> String {
    let lines = all.iter().map(|it| format!("{} {}", it.topic, it.values));
    lines.collect::<Vec<_>>().join("; ")
}

/// The differences between Spin's answer and ours; none where one of them does not say.
pub fn differences(theirs: &Answer, ours: &Answer) -> Vec<Difference> {
    let only = |topic, why: &String| vec![Difference { topic, values: why.clone() }];
    match (&theirs.refused, &ours.refused) {
        (None, None) => {}
        (Some(_), Some(_)) => return Vec::new(),
        (Some(why), None) => return only(ONLY_SPIN, why),
        (None, Some(why)) => return only(ONLY_VIZSLA, why),
    }
    let mut all = Vec::new();
    spaces(theirs, ours, &mut all);
    for (check, i) in Check::EACH.iter().zip(0..) {
        if let (Some(a), Some(b)) = (&theirs.found[i], &ours.found[i]) {
            verdicts(*check, a, b, theirs, &mut all);
        }
    }
    breadth_first(theirs, ours, &mut all);
    // Larger still with claims: they are left out where there is no time for the state space.
    if !theirs.incomplete && !ours.incomplete {
        claims(theirs, ours, &mut all);
    }
    all
}

fn claims(theirs: &Answer, ours: &Answer, all: &mut Vec<Difference>) {
    let (theirs, ours) = (&theirs.claims, &ours.claims);
    if theirs.len() != ours.len() {
        let values = format!("{} / {}", theirs.len(), ours.len());
        all.push(Difference { topic: "claims", values });
    }
    for (a, b) in theirs.iter().zip(ours) {
        let Claim { name, found, stored } = b;
        if let (Some(first), Some(second)) = (a.found.is_error(), found.is_error())
            && first != second
        {
            let values = format!("{name}: {} / {found}", a.found);
            all.push(Difference { topic: CLAIM, values });
        }
        if let (Some(a), Some(b)) = (a.stored, stored)
            && a != *b
        {
            all.push(Difference { topic: CLAIM, values: format!("{name}: stored {a} / {b}") });
        }
    }
}

fn spaces(theirs: &Answer, ours: &Answer, all: &mut Vec<Difference>) {
    let (Some(a), Some(b)) = (theirs.space, ours.space) else { return };
    let mut pair = |topic, a: Option<u64>, b: Option<u64>| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            all.push(Difference { topic, values: format!("{a} / {b}") });
        }
    };
    pair("stored", Some(a.stored), Some(b.stored));
    pair("transitions", a.transitions, b.transitions);
    pair("invalid ends", a.invalid_ends, b.invalid_ends);
}

fn verdicts(check: Check, a: &Found, b: &Found, theirs: &Answer, all: &mut Vec<Difference>) {
    let (Some(first), Some(second)) = (a.is_error(), b.is_error()) else { return };
    // `pan -A` leaves indices unchecked as well; what it does then is undefined.
    let unchecked = !check.assertions && b.kind() == Some(&ErrorKind::Index);
    let known = theirs.found.iter().flatten().any(|found| found.kind() == Some(&ErrorKind::Index));
    if first != second && !(unchecked && known) {
        let topic = match check {
            Check::ALL => "error",
            Check::ASSERTIONS => "error, ends ignored,",
            _ => "error, assertions ignored,",
        };
        all.push(Difference { topic, values: format!("{a} / {b}") });
    }
}

fn breadth_first(theirs: &Answer, ours: &Answer, all: &mut Vec<Difference>) {
    let (Some(a), Some(b)) = (&theirs.breadth_first, &ours.breadth_first) else { return };
    let topic = LENGTH;
    match (a.depth(), b.depth()) {
        (Some(a), Some(b)) if b > a => {
            all.push(Difference { topic, values: format!("{a} / {b}") });
        }
        (Some(a), None) if b.is_error() == Some(false) => {
            all.push(Difference { topic, values: format!("{a} / none") });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Space;

    fn error(kind: ErrorKind, depth: u64) -> Option<Found> {
        Some(Found::Error { kind, depth: Some(depth) })
    }

    fn topics(theirs: &Answer, ours: &Answer) -> Vec<&'static str> {
        differences(theirs, ours).iter().map(|it| it.topic).collect()
    }

    #[test]
    fn sizes_are_compared_where_both_are_known() {
        let space = |stored, transitions| Answer {
            space: Some(Space { stored, transitions, invalid_ends: None }),
            ..Answer::default()
        };
        assert!(topics(&space(3, Some(4)), &space(3, None)).is_empty());
        assert!(topics(&space(3, Some(4)), &Answer::default()).is_empty());
        let all = topics(&space(3, Some(4)), &space(2, Some(5)));
        assert_eq!(all, ["stored", "transitions"]);
    }

    #[test]
    fn indices_are_not_compared_where_pan_does_not_check_them() {
        let index = error(ErrorKind::Index, 3);
        let nothing = Some(Found::Nothing);
        let ours = Answer { found: [index.clone(), None, index.clone()], ..Answer::default() };
        let theirs = Answer { found: [index, None, nothing.clone()], ..Answer::default() };
        assert!(topics(&theirs, &ours).is_empty());
        let theirs = Answer { found: [nothing.clone(), None, nothing], ..Answer::default() };
        assert_eq!(topics(&theirs, &ours), ["error", "error, assertions ignored,"]);
    }

    #[test]
    fn our_traces_may_only_be_shorter() {
        let answer = |depth| Answer {
            breadth_first: error(ErrorKind::Assertion, depth),
            ..Answer::default()
        };
        assert!(topics(&answer(5), &answer(4)).is_empty());
        assert_eq!(topics(&answer(4), &answer(5)), [LENGTH]);
        let none = Answer { breadth_first: Some(Found::Nothing), ..Answer::default() };
        assert_eq!(topics(&answer(4), &none), [LENGTH]);
        assert!(topics(&none, &answer(4)).is_empty());
    }

    #[test]
    fn a_refusal_of_one_is_a_difference() {
        let refused = Answer { refused: Some("no".into()), ..Answer::default() };
        assert_eq!(topics(&refused, &Answer::default()), [ONLY_SPIN]);
        assert_eq!(topics(&Answer::default(), &refused), [ONLY_VIZSLA]);
        assert!(topics(&refused, &refused).is_empty());
    }
}
