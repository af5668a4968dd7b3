//! A model that can be worked with.

use crate::fingerprint::Fingerprint;
use crate::load::Reader;
use crate::room::FEWEST_SLOTS;
use crate::{Input, Language, Refusal, load};
use network::{Diagnostic, EdgeId, Network, ProcessId, PropertyId, Severity, SourcePlace, Span};
use promela::trail::Numbering;
use promela::wording::Wording;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

/// A model that can be worked with: see [`Content`] for what it consists of. Clones share it.
#[derive(Clone, Debug)]
pub struct Model {
    content: Arc<Content>,
}

/// What a model consists of.
#[derive(Clone, Debug)]
pub struct Content {
    /// What it is written in.
    pub language: Language,
    /// Its path as the user gave it, or its name.
    pub path: String,
    /// What it says.
    pub network: Network,
    /// What is odd about it.
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with single queries, which cannot be checked for that reason.
    pub mistakes: BTreeMap<PropertyId, Vec<Diagnostic>>,
    /// How Spin's trails name its steps; empty unless it is a Promela model.
    pub numbering: Numbering,
    /// The words for its edges; empty unless it is a Promela model.
    pub wording: Wording,
    /// What tells it from other models: its text, with all that it includes.
    pub fingerprint: String,
    /// The query file that was found beside the model and used.
    pub found_queries: Option<String>,
    /// The seconds that loading took.
    pub seconds: f64,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Where it came from, to load it again with more room for processes.
    pub(crate) origin: Option<Origin>,
    pub(crate) texts: Vec<Text>,
}

/// Where a model came from, and how much room it was given.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// What was loaded.
    pub input: Input,
    /// The files that were read for it.
    pub reader: Reader,
    /// How many processes of a kind a `run` in a loop may have running at once.
    pub slots: u32,
}

/// The text of a file, to show lines of it.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    path: String,
    text: String,
}

impl Text {
    pub fn new(path: &str, bytes: &[u8]) -> Text {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Text { path: path.to_string(), text: String::from_utf8_lossy(bytes).into_owned() }
    }
}

impl Deref for Model {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.content
    }
}

impl From<Content> for Model {
    fn from(content: Content) -> Model {
        Model { content: Arc::new(content) }
    }
}

impl Model {
    /// Loads and verifies a model.
    pub fn load(input: impl Into<Input>) -> Result<Model, Refusal> {
        load::load(input.into(), FEWEST_SLOTS, Reader::default())
    }

    /// A network as a model, if it keeps the rules of networks.
    pub fn of_network(network: Network) -> Result<Model, Refusal> {
        let network = load::verified(network)?;
        let fingerprint = Fingerprint::of(network::print(&network).as_bytes());
        let mut content = Content::new(Language::Network, String::new(), network);
        content.fingerprint = fingerprint.to_string();
        Ok(content.into())
    }
}

impl Content {
    pub(crate) fn new(language: Language, path: String, network: Network) -> Content {
        let (warnings, mistakes, numbering, wording) = Default::default();
        let (fingerprint, found_queries, seconds, files) = Default::default();
        let (origin, texts) = Default::default();
        Content {
            language,
            path,
            network,
            warnings,
            mistakes,
            numbering,
            wording,
            fingerprint,
            found_queries,
            seconds,
            files,
            origin,
            texts,
        }
    }

    /// The questions about it, in order.
    pub fn properties(&self) -> impl Iterator<Item = PropertyId> + use<> {
        self.network.properties.ids()
    }

    /// Whether it is a Promela model, which has statements, trails and processes that start.
    pub fn is_promela(&self) -> bool {
        self.language == Language::Promela
    }

    /// Why none of these properties can be checked, if every one of them is wrong in itself.
    pub fn refusal(&self, asked: &[PropertyId]) -> Option<Refusal> {
        let wrong = || asked.iter().filter_map(|id| self.mistakes.get(id));
        let all = !asked.is_empty() && wrong().count() == asked.len();
        let said = self.warnings.iter().chain(wrong().flatten());
        all.then(|| Refusal::Input(said.cloned().collect()))
    }

    /// The path of the file that a span lies in.
    pub fn source_path(&self, span: Span) -> Option<&str> {
        if span.is_none() {
            return None;
        }
        self.network.sources.try_at(span.source).map(|source| source.path.as_str())
    }

    /// What is interchangeable in the model while a property is checked, and what looks as if it were.
    pub fn symmetry(&self, property: &network::Property) -> symmetry::Symmetry {
        let dead = reduce::dead_variables(&self.network, property);
        symmetry::find(&self.network, property, dead, &|_, _| 1)
    }

    /// An error at a span of the model.
    pub fn error_at(&self, message: impl Into<String>, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic { severity: Severity::Error, ..Diagnostic::error(message) };
        match self.place(span) {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }
    }

    /// The statement of an edge, if it is a Promela model.
    pub fn statement(&self, process: ProcessId, edge: EdgeId) -> Option<&str> {
        self.wording.edge(process, edge).map(|it| it.statement.as_str())
    }

    /// Where a span of the model is, with the line that it begins in.
    pub fn place(&self, span: Span) -> Option<SourcePlace> {
        let path = self.source_path(span)?;
        let text = self.texts.iter().find(|text| text.path == path);
        let line = text.and_then(|text| text.text.lines().nth(span.line as usize - 1));
        Some(SourcePlace {
            path: path.to_string(),
            line: span.line,
            column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
            source_line: line.unwrap_or_default().to_string(),
            within: None,
        })
    }
}
