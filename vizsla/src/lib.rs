//! A directed model checker for UPPAAL timed automata and Promela: load a model, ask a question, get an
//! answer with the run that proves it.
//!
//! ```
//! use vizsla::{Input, Model, Options, Verdict, check};
//!
//! let lamp = "clock x;
//!     process Lamp() {
//!         state off, on { x <= 5 };
//!         init off;
//!         trans off -> on { assign x = 0; }, on -> off { guard x >= 5; };
//!     }
//!     system Lamp;";
//! let model = Model::load(Input::text("lamp.xta", lamp).query("A[] Lamp.on imply x < 5"))?;
//! for property in model.properties() {
//!     let answer = check(&model, property, &Options::default(), &mut ());
//!     assert_eq!(answer.verdict, Verdict::Violated);
//!     assert!(answer.shortest && answer.trace().is_some_and(|trace| trace.steps.len() == 1));
//! }
//! # Ok::<(), vizsla::Refusal>(())
//! ```
//!
//! [`Model::load`] reads a model ([`Input`]) or says what is wrong with it ([`Refusal`]); [`check()`] answers
//! a question about it as the [`Options`] say while an [`Observer`] follows and may end it; [`replay()`]
//! checks a trace without searching. This crate prints nothing and reads no files but those of the model.

mod answer;
mod check;
mod cut_off;
pub mod describe;
mod explanation;
pub mod finding;
mod fingerprint;
mod follow;
mod goal;
mod input;
mod language;
mod load;
mod model;
mod observer;
mod options;
mod refusal;
mod replay;
mod room;
mod time;
mod timer;
pub mod trace_file;
pub mod trail;
mod values;
mod view;

pub use answer::{Answer, Verdict};
pub use check::{Session, check};
pub use explanation::Explanation;
pub use finding::Finding;
pub use follow::{Witness, tell};
pub use input::{Input, Promela, Source};
pub use language::Language;
pub use load::{LARGEST, candidates, read_within};
pub use model::{Content, Model};
pub use observer::{Observer, Phase};
pub use options::{Estimator, Limits, Method, Options};
pub use refusal::{Refusal, Unsuitable};
pub use replay::{Replayed, replay, replay_file, replay_trail};
pub use trace_file::TraceFile;

pub use explore::Abstraction;
pub use network::cancellation::{Cancellation, Cause};
pub use network::{Diagnostic, Network, Property, PropertyId, RunTimeError, Trace};
pub use search::catalog::{self, Settings};
pub use search::{Contexts, Control, PLANS, Penalty, Plan, Reason, Rule, Statistics, Ties, Weight};
