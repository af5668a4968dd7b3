//! A directed model checker for UPPAAL timed automata and Promela: load a model, ask a question, get an
//! answer with the run that proves it.
//!
//! ```
//! use vizsla::{Input, Model, Options, Verdict};
//!
//! let text = "byte n; active [2] proctype P() { byte old; old = n; n = old + 1 }";
//! let model = Model::load(Input::text("counter.pml", text).query("A[] n < 2"))?;
//! for answer in model.check_all(&Options::default()) {
//!     assert_eq!((answer.verdict, answer.shortest), (Verdict::Violated, true));
//!     assert_eq!(answer.trace().map(|trace| trace.steps.len()), Some(4));
//! }
//! # Ok::<(), vizsla::Refusal>(())
//! ```
//!
//! [`Model::load`] reads a model ([`Input`]) or says what is wrong with it ([`Refusal`]);
//! [`Model::check_all`] answers every question about it as the [`Options`] say, [`check()`] a single one
//! while an [`Observer`] follows and may end it; [`replay()`] checks a trace without searching. This crate
//! prints nothing and reads no files but those of the model.

mod answer;
mod check;
mod cut_off;
pub mod describe;
mod explanation;
pub mod finding;
mod fingerprint;
mod follow;
mod goal;
mod improve;
mod input;
mod language;
mod load;
mod model;
mod observer;
mod options;
mod refusal;
mod replay;
mod room;
mod saved_heuristic;
mod time;
mod timer;
pub mod trace_file;
pub mod trail;
mod values;
mod view;

pub use ::symmetry::{Class as Interchangeable, Group, Obstacle};
pub use answer::{Answer, Verdict};
pub use check::{Session, check};
pub use explanation::Explanation;
pub use finding::Finding;
pub use follow::{Witness, tell};
pub use improve::{GivenTrace, ImprovedEnd, Improvement};
pub use input::{Input, Promela, Source};
pub use language::Language;
pub use load::{LARGEST, candidates, read_within};
pub use model::{Content, Model};
pub use observer::{Observer, Phase};
pub use options::{Estimator, Limits, Method, Options, Switch, Symmetry};
pub use refusal::{Refusal, Unsuitable};
pub use replay::{Replayed, replay, replay_file, replay_trail};
pub use saved_heuristic::SavedHeuristic;
pub use trace_file::TraceFile;

pub use explore::Abstraction;
pub use network::cancellation::{Cancellation, Cause};
pub use network::{Diagnostic, Network, Property, PropertyId, RunTimeError, Trace};
pub use search::catalog::{self, Settings};
pub use search::{
    Contexts, Control, PLANS, Penalty, Plan, Reason, Rule, Statistics, TableAccount, Ties, Weight,
};
