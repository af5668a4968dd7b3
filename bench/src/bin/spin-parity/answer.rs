//! What a tool says about a model, in the same words for both tools.

/// What to find out.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The size of the whole state space.
    pub space: bool,
    /// Which errors there are.
    pub errors: bool,
    /// The length of breadth-first traces.
    pub breadth_first: bool,
    /// Whether claims are violated.
    pub claims: bool,
}

/// An answer of one tool.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Why the tool does not take the model.
    pub refused: Option<String>,
    /// The whole state space, errors ignored.
    pub space: Option<Space>,
    /// What is found with [`Check::ALL`], [`Check::ASSERTIONS`] and [`Check::ENDS`].
    pub found: [Option<Found>; 3],
    /// What breadth-first search finds with [`Check::ALL`].
    pub breadth_first: Option<Found>,
    /// What is found for each claim, never claims first.
    pub claims: Vec<Claim>,
    /// What it costs.
    pub cost: Cost,
    /// Whether a limit was reached on the way through the whole state space.
    pub incomplete: bool,
    /// Things worth saying that are no differences.
    pub notes: Vec<String>,
}

impl Answer {
    /// What to look for: where there is no time for the whole state space, only all errors at once.
    pub fn checks(&self) -> &'static [Check] {
        if self.incomplete { &Check::EACH[..1] } else { &Check::EACH }
    }

    /// Whether it came to no result at all within its limits.
    pub fn is_silent(&self) -> bool {
        let found = self.found.iter().chain([&self.breadth_first]).flatten();
        let claims = self.claims.iter().map(|claim| &claim.found);
        self.incomplete && found.chain(claims).all(|it| it.is_error().is_none())
    }

    /// What every further search finds: nothing, if a complete one for all errors finds nothing.
    pub fn implied(&self) -> Option<Found> {
        self.found[0].clone().filter(|found| *found == Found::Nothing)
    }
}

/// What a search with a claim finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// Whether it is violated; cycles count.
    pub found: Found,
    /// The states stored by a complete search that has no cycles to find, for never claims.
    pub stored: Option<u64>,
}

/// The size of a state space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// States stored.
    pub stored: u64,
    /// Arrivals at stored states, the initial one included: what `pan` calls transitions.
    pub transitions: Option<u64>,
    /// States that are an invalid end.
    pub invalid_ends: Option<u64>,
}

/// What a search finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The search was complete and found no error.
    Nothing,
    /// An error.
    Error {
        /// Of which kind.
        kind: ErrorKind,
        /// After how many steps, as the tool counts them.
        depth: Option<u64>,
    },
    /// No answer.
    Unknown(String),
}

/// A kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A failed assertion.
    Assertion,
    /// No process can move, and not all are at an end.
    InvalidEnd,
    /// An index out of bounds.
    Index,
    /// A statement inside a `d_step` that cannot be executed.
    Blocked,
    /// A channel that is none.
    NoChannel,
    /// A channel without a buffer that is polled.
    Poll,
    /// Something else.
    Other(String),
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ErrorKind::Assertion => "assertion",
            ErrorKind::InvalidEnd => "invalid end",
            ErrorKind::Index => "index",
            ErrorKind::Blocked => "blocked d_step",
            ErrorKind::NoChannel => "no channel",
            ErrorKind::Poll => "polled rendezvous",
            ErrorKind::Other(text) => text,
        })
    }
}

/// Which errors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Failed assertions.
    pub assertions: bool,
    /// Invalid ends.
    pub ends: bool,
}

impl Check {
    /// All errors.
    pub const ALL: Check = Check { assertions: true, ends: true };
    /// No invalid ends.
    pub const ASSERTIONS: Check = Check { assertions: true, ends: false };
    /// No failed assertions.
    pub const ENDS: Check = Check { assertions: false, ends: true };
    /// The order of [`Answer::found`].
    pub const EACH: [Check; 3] = [Check::ALL, Check::ASSERTIONS, Check::ENDS];
}

/// What a run costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Seconds to make the verifier: `spin -a`; reading the model for Vizsla.
    pub generate: f64,
    /// Seconds to compile it.
    pub compile: f64,
    /// Seconds of the search through the whole state space.
    pub search: f64,
    /// Megabytes in all.
    pub megabytes: Option<f64>,
    /// Bytes of the store for each stored state.
    pub bytes_per_state: Option<f64>,
}

impl Found {
    /// Whether there is an error, if that is known.
    pub fn is_error(&self) -> Option<bool> {
        match self {
            Found::Nothing => Some(false),
            Found::Error { .. } => Some(true),
            Found::Unknown(_) => None,
        }
    }

    /// The kind of the error.
    pub fn kind(&self) -> Option<&ErrorKind> {
        if let Found::Error { kind, .. } = self { Some(kind) } else { None }
    }

    /// The depth of the error.
    pub fn depth(&self) -> Option<u64> {
        if let Found::Error { depth, .. } = self { *depth } else { None }
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Found::Nothing => f.write_str("none"),
            Found::Error { kind, .. } => write!(f, "{kind}"),
            Found::Unknown(_) => f.write_str("?"),
        }
    }
}
