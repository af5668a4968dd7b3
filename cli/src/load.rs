//! From paths to a verified network, or to everything that is wrong with the input.

use crate::arguments;
use crate::fingerprint::Fingerprint;
use crate::language::{Language, language};
use network::{
    Arena, Diagnostic, EdgeId, Network, ProcessId, Property, PropertyId, Severity, SourcePlace,
    Span,
};
use promela::trail::Numbering;
use promela::wording::Wording;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How standard input is called.
pub const STDIN: &str = "<stdin>";
/// No model comes near this, but endless devices would fill the memory.
const LARGEST: u64 = 1 << 28;

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The model.
    pub model: &'a Path,
    /// A file of queries that replaces those of the model.
    pub query_file: Option<&'a Path>,
    /// Queries that replace all others.
    pub queries: &'a [String],
    /// Whether to ask for run-time errors as well.
    pub errors: bool,
    /// What it is written in; if that is not given, its name and content tell.
    pub language: Option<Language>,
    /// How to read a Promela model.
    pub promela: PromelaRequest<'a>,
}

/// How to read a Promela model.
#[derive(Clone, Copy, Debug)]
pub struct PromelaRequest<'a> {
    /// Macros given on the command line, and what to look for.
    pub arguments: Option<&'a arguments::Promela>,
    /// How many processes of a kind a `run` in a loop may have running at once.
    pub slots: u32,
}

impl Default for PromelaRequest<'_> {
    fn default() -> Self {
        PromelaRequest { arguments: None, slots: FEWEST_SLOTS }
    }
}

/// How many processes a `run` in a loop is first given room for.
pub const FEWEST_SLOTS: u32 = 4;
/// Spin allows no more processes than this.
pub const MOST_SLOTS: u32 = 255;

/// More room than that, but not much more: every state has room for every process.
pub fn more_slots(slots: u32) -> u32 {
    (slots + slots / 2).min(MOST_SLOTS)
}

/// A model that can be worked with.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its path as the user gave it.
    pub path: String,
    /// What it says.
    pub network: Network,
    /// What is odd about it.
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with single queries, which cannot be checked for that reason.
    pub mistakes: BTreeMap<PropertyId, Vec<Diagnostic>>,
    /// How Spin's trails name its steps, if it is a Promela model.
    pub numbering: Option<Numbering>,
    /// The words for its edges; there are some only if it is a Promela model.
    pub wording: Wording,
    /// What tells it from other models: its text, with all that it includes.
    pub fingerprint: String,
    /// The query file that was found beside the model and used.
    pub found_queries: Option<String>,
    /// The seconds that loading took.
    pub seconds: f64,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    texts: Vec<Text>,
}

/// Why there is no model.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// The front end made a network that breaks the rules.
    Defect(String),
}

/// The text of a file, to show lines of it.
#[derive(Clone, Debug)]
struct Text {
    path: String,
    text: String,
}

struct File {
    path: String,
    bytes: Vec<u8>,
}

/// Loads and verifies a model.
pub fn load(request: &Request) -> Result<Model, Refusal> {
    let start = Instant::now();
    let model = read(request.model, "model").map_err(|problem| Refusal::Input(vec![*problem]))?;
    let query_file = request.query_file.map(|path| read(path, "query file")).transpose();
    let query_file = query_file.map_err(|problem| Refusal::Input(vec![*problem]))?;
    let language = request.language.unwrap_or_else(|| language(request.model, &model.bytes));
    let mut loaded = match language {
        Language::Network => load_text(&model, request)?,
        Language::Promela => load_promela(&model, request)?,
        Language::Uppaal => load_uppaal(&model, query_file.as_ref(), request)?,
    };
    if request.errors {
        add_no_errors(&mut loaded)?;
    }
    loaded.files.push(request.model.to_path_buf());
    loaded.files.extend(request.query_file.map(Path::to_path_buf));
    loaded.seconds = start.elapsed().as_secs_f64();
    Ok(loaded)
}

/// Asks a model for its run-time errors, beside what else it is asked.
fn add_no_errors(model: &mut Model) -> Result<(), Refusal> {
    let properties = &mut model.network.properties;
    if properties.iter().any(|property| property.text == network::NO_ERRORS) {
        return Ok(());
    }
    if model.numbering.is_some() {
        let message = "--errors: a Promela model is checked for errors if no --query is given";
        return Err(Refusal::Input(vec![Diagnostic::error(message)]));
    }
    properties.push(Property::no_errors());
    Ok(())
}

/// Reads a whole file, or says why it cannot be read.
fn read(path: &Path, what: &str) -> Result<File, Box<Diagnostic>> {
    match bytes(path, LARGEST) {
        Ok(bytes) => Ok(File { path: name(path), bytes }),
        Err(why) => {
            let message = format!("cannot read the {what} `{}`: {why}", path.display());
            Err(Box::new(Diagnostic::error(message)))
        }
    }
}

/// The content of a file or, for `-`, of standard input; no more than `largest` bytes.
pub fn bytes(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(largest + 1).read_to_end(&mut bytes)
    } else if path.is_dir() {
        return Err("it is a directory".to_string());
    } else {
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        file.take(largest + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| error.to_string())?;
    match bytes.len() as u64 > largest {
        true => Err(format!("it is larger than {} MiB", largest >> 20)),
        false => Ok(bytes),
    }
}

/// The name under which a path appears in messages and reports.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { STDIN.to_string() } else { path.display().to_string() }
}

fn load_promela(file: &File, request: &Request) -> Result<Model, Refusal> {
    if request.query_file.is_some() {
        let message = "a query file cannot be used with a Promela model";
        let hint = "ask with --query 'E<> ...'";
        return Err(Refusal::Input(vec![Diagnostic::error(message).hint(hint)]));
    }
    let defaults = arguments::Promela::default();
    let arguments = request.promela.arguments.unwrap_or(&defaults);
    let asked: Vec<String> =
        request.queries.iter().filter(|query| !is_of_model(query)).cloned().collect();
    let (mut texts, mut files) = (vec![Text::new(&file.path, &file.bytes)], Vec::new());
    let mut fingerprint = Fingerprint::of(&file.bytes);
    arguments.define.iter().for_each(|(name, body)| fingerprint.add_macro(name, body));
    let mut read_include = |path: &str| {
        let found = included(path, request.model, &arguments.include)?;
        let file = read(&found, "included file").map_err(|problem| problem.message)?;
        files.push(found);
        texts.push(Text::new(path, &file.bytes));
        fingerprint.add(&file.bytes);
        Ok(file.bytes)
    };
    let loaded = promela::load(promela::Input {
        path: &file.path,
        bytes: &file.bytes,
        defines: &arguments.define,
        queries: &asked,
        options: promela::Options {
            deadlock: !arguments.no_deadlock,
            asserts: !arguments.no_assert,
            claim: arguments.claim.clone(),
            strict_end: arguments.strict_end,
            slots_in_loops: request.promela.slots,
        },
        read_include: &mut read_include,
    });
    let mut network = verified(loaded.network, &loaded.diagnostics)?;
    if asked.is_empty() && !request.queries.is_empty() {
        network.properties = named_properties(&network, request.queries)?;
    }
    let model = Model::new(file, network, loaded.diagnostics, texts);
    Ok(Model {
        numbering: Some(loaded.numbering),
        wording: loaded.wording,
        fingerprint: fingerprint.to_string(),
        files,
        ..model
    })
}

/// Where an included file is: in the model's folder or one that the user names. A model may come from
/// anybody, and what it includes is shown where it is wrong.
fn included(path: &str, model: &Path, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let name = Path::new(path).strip_prefix(model.parent().unwrap_or(Path::new("")));
    let name = name.unwrap_or(Path::new(path));
    let places = candidates(path, model).into_iter().chain(folders.iter().map(|it| it.join(name)));
    // Whatever is no file may never come to an end.
    let Some(found) = places.into_iter().find(|place| place.is_file()) else {
        return Err("there is no such file".to_string());
    };
    let own = model.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
    let place = found.canonicalize().map_err(|error| error.to_string())?;
    let is_around = |folder: &Path| folder.canonicalize().is_ok_and(|it| place.starts_with(it));
    match is_around(own) || folders.iter().any(|folder| is_around(folder)) {
        true => Ok(found),
        false => Err("it is outside the model's folder; `-I FOLDER` allows another".to_string()),
    }
}

/// Whether a query names a property that a Promela model has by itself, as saved traces do.
fn is_of_model(query: &str) -> bool {
    query == network::NO_ERRORS || query.starts_with("never claim") || query.starts_with("ltl ")
}

/// The network a front end made, if it is one, or why not.
fn verified(network: Option<Network>, diagnostics: &[Diagnostic]) -> Result<Network, Refusal> {
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    let network = match network {
        Some(network) if !refused => network,
        _ if refused => return Err(Refusal::Input(diagnostics.to_vec())),
        _ => return Err(Refusal::Defect("a model was refused without a reason".to_string())),
    };
    let defects: Vec<String> = network::verify(&network).iter().map(ToString::to_string).collect();
    if !defects.is_empty() {
        let list = defects.join("\n  ");
        return Err(Refusal::Defect(format!("the network breaks its rules:\n  {list}")));
    }
    Ok(network)
}

fn load_text(file: &File, request: &Request) -> Result<Model, Refusal> {
    if request.query_file.is_some() {
        let message = "a query file cannot be used with a model in network text form";
        let hint = "write `property \"name\" reachable ...` into the model";
        return Err(Refusal::Input(vec![Diagnostic::error(message).hint(hint)]));
    }
    let text = match std::str::from_utf8(&file.bytes) {
        Ok(text) => text,
        Err(_) => {
            let message = format!("`{}` is not valid UTF-8", file.path);
            return Err(Refusal::Input(vec![Diagnostic::error(message)]));
        }
    };
    let mut network = network::parse(text).map_err(|mut diagnostics| {
        let places = diagnostics.iter_mut().filter_map(|d| d.place.as_mut());
        places.for_each(|place| place.path = file.path.clone());
        Refusal::Input(diagnostics)
    })?;
    let defects = network::verify(&network);
    if !defects.is_empty() {
        let say = |defect: &network::Defect| Diagnostic::error(format!("{}: {defect}", file.path));
        return Err(Refusal::Input(defects.iter().map(say).collect()));
    }
    if !request.queries.is_empty() {
        network.properties = named_properties(&network, request.queries)?;
    }
    let texts = original_texts(&network, request.model);
    Ok(Model::new(file, network, Vec::new(), texts))
}

/// In a network text, a query is the name of a property.
fn named_properties(
    network: &Network,
    queries: &[String],
) -> Result<Arena<PropertyId, Property>, Refusal> {
    let find = |query: &String| {
        let found = network.properties.iter().find(|property| property.text == *query).cloned();
        let found = found.or_else(|| (query == network::NO_ERRORS).then(Property::no_errors));
        found.ok_or_else(|| {
            let message = format!("the model has no property \"{query}\"");
            let hint = "see `vizsla info` for the names of its properties";
            Refusal::Input(vec![Diagnostic::error(message).hint(hint)])
        })
    };
    queries.iter().map(find).collect()
}

/// The files that a network text came from, where they can still be found.
fn original_texts(network: &Network, model: &Path) -> Vec<Text> {
    let readable = |path: &str| {
        let found = candidates(path, model).into_iter().find(|path| path.is_file())?;
        Some(Text::new(path, &read(&found, "source").ok()?.bytes))
    };
    network.sources.iter().filter_map(|source| readable(&source.path)).collect()
}

fn load_uppaal(
    file: &File,
    query_file: Option<&File>,
    request: &Request,
) -> Result<Model, Refusal> {
    if request.queries.iter().any(|query| query == network::NO_ERRORS) {
        return load_for_errors(file, request.queries);
    }
    let model = front_end(file, query_file, request.queries)?;
    let asked = query_file.is_some() || !request.queries.is_empty();
    if asked || !model.network.properties.is_empty() || request.model == Path::new("-") {
        return Ok(model);
    }
    let path = request.model.with_extension("q");
    if !path.is_file() || path == request.model {
        return Ok(model);
    }
    let queries = read(&path, "query file").map_err(|problem| Refusal::Input(vec![*problem]))?;
    let model = front_end(file, Some(&queries), &[])?;
    Ok(Model { found_queries: Some(queries.path), files: vec![path], ..model })
}

/// The model with the property that it raises no errors, behind what else is asked.
fn load_for_errors(file: &File, queries: &[String]) -> Result<Model, Refusal> {
    let others = queries.iter().filter(|query| *query != network::NO_ERRORS);
    let others: Vec<String> = others.cloned().collect();
    let mut model = front_end(file, None, &others)?;
    if others.is_empty() {
        // What the model asks itself is not asked now.
        model.network.properties = Arena::new();
        model.mistakes.clear();
    }
    model.network.properties.push(Property::no_errors());
    Ok(model)
}

fn front_end(file: &File, query_file: Option<&File>, queries: &[String]) -> Result<Model, Refusal> {
    let input = uppaal::Input {
        path: &file.path,
        bytes: &file.bytes,
        query_file: query_file.map(|file| (file.path.as_str(), file.bytes.as_slice())),
        queries,
    };
    let loaded = uppaal::load(&input);
    if loaded.network.is_none() && loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Refusal::Input(loaded.all_diagnostics().cloned().collect()));
    }
    let network = verified(loaded.network, &loaded.diagnostics)?;
    let mistakes = loaded.mistakes.into_iter().map(|it| (it.property, it.diagnostics)).collect();
    let mut texts = vec![Text::new(&file.path, &file.bytes)];
    texts.extend(query_file.map(|file| Text::new(&file.path, &file.bytes)));
    Ok(Model { mistakes, ..Model::new(file, network, loaded.diagnostics, texts) })
}

impl Text {
    fn new(path: &str, bytes: &[u8]) -> Text {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Text { path: path.to_string(), text: String::from_utf8_lossy(bytes).into_owned() }
    }
}

impl Model {
    fn new(file: &File, network: Network, warnings: Vec<Diagnostic>, texts: Vec<Text>) -> Model {
        let path = file.path.clone();
        let (mistakes, numbering, wording, found_queries) = Default::default();
        let fingerprint = Fingerprint::of(&file.bytes).to_string();
        let (seconds, files) = (0.0, Vec::new());
        Model {
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
            texts,
        }
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

    fn place(&self, span: Span) -> Option<SourcePlace> {
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

/// Where a path named in a file may lead: beside that file, or from the current folder.
pub fn candidates(path: &str, named_in: &Path) -> [PathBuf; 2] {
    let beside = named_in.parent().unwrap_or(Path::new("")).join(path);
    [beside, PathBuf::from(path)]
}
