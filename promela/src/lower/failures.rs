//! The run-time errors that only Promela knows.

use network::{Arena, FailureId, StatementKind};

/// What a statement that always fails says about the model; the number is that in the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// A message that does not have as many fields as its channel carries.
    WrongFields,
    /// Two ways on for a process that must have one.
    Nondeterminism,
    /// A message that must not be sent or received now.
    UnexpectedMessage,
    /// A message that completes a sequence of messages that must not occur.
    ForbiddenMessages,
    /// A message of which it is not clear what may come after it.
    AmbiguousMessage,
    /// A process that asks whether it can move itself.
    OwnProcess,
    /// A channel without a buffer that is asked for a message.
    PolledRendezvous,
}

/// The name and the message of each, in the order above.
const TABLE: [(&str, &str); 7] = [
    ("wrong-fields", "a message does not have as many fields as its channel carries"),
    ("nondeterminism", "a deterministic process can go on in more than one way"),
    ("unexpected-message", "trace assertion: this message does not fit the trace"),
    ("forbidden-messages", "trace assertion: this message completes what the notrace forbids"),
    ("ambiguous-message", "trace assertion: this message fits two transitions of the trace"),
    ("own-process", "a process asks whether it is enabled itself"),
    ("polled-rendezvous", "a rendezvous channel, which holds no messages, is asked for one"),
];

impl Failure {
    /// All there are, so that each has the same id in every network.
    pub fn table() -> Arena<FailureId, network::Failure> {
        let entry = |(name, message): (&str, &str)| network::Failure {
            name: name.to_string(),
            message: message.to_string(),
        };
        TABLE.into_iter().map(entry).collect()
    }

    /// The statement that always fails with this.
    pub fn statement(self) -> StatementKind {
        StatementKind::Fail(FailureId(self as u32))
    }
}
