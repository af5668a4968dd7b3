//! A random text of either language.

use network::NO_ERRORS;
use testing::Numbers;
use testing::symmetric::{self, Symmetric};
use testing::texts::uppaal;
use testing::texts::{Cut, Cuttable, Program, Weights, generate};
use vizsla::{Input, Model, Promela, PropertyId};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// UPPAAL's, as `.xta` or `.xml`.
    Uppaal,
    /// Promela.
    Promela,
}

/// A text with a question about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// An UPPAAL model, which brings its question.
    Uppaal(uppaal::Model),
    /// A Promela program.
    Promela {
        /// The program.
        program: Program,
        /// The options that choose what is asked.
        question: Vec<String>,
    },
    /// A model whose processes are interchangeable, or nearly so.
    Symmetric {
        /// What it is written in.
        language: Language,
        /// The text.
        source: String,
        /// What is asked.
        query: String,
    },
}

impl Text {
    /// The text of a seed, which also chooses the language if nobody does.
    pub fn of_seed(language: Option<Language>, seed: u64) -> Text {
        let by_turns = [Language::Uppaal, Language::Promela][(seed % 2) as usize];
        Text::new(language.unwrap_or(by_turns), seed)
    }

    /// The text of a seed.
    pub fn new(language: Language, seed: u64) -> Text {
        if seed / 2 % 4 == 3 {
            return symmetric(language, seed);
        }
        match language {
            Language::Uppaal => Text::Uppaal(uppaal::generate(seed)),
            Language::Promela => promela(seed),
        }
    }

    /// What it is written in.
    pub fn language(&self) -> Language {
        match self {
            Text::Uppaal(_) => Language::Uppaal,
            Text::Promela { .. } => Language::Promela,
            Text::Symmetric { language, .. } => *language,
        }
    }

    /// The name of a file for it.
    pub fn file(&self) -> &'static str {
        match self {
            Text::Uppaal(model) if model.is_xml => "m.xml",
            Text::Uppaal(_) => "m.xta",
            Text::Promela { .. } | Text::Symmetric { language: Language::Promela, .. } => "m.pml",
            Text::Symmetric { language: Language::Uppaal, .. } => "m.xta",
        }
    }

    /// What stands in that file.
    pub fn source(&self) -> String {
        match self {
            Text::Uppaal(model) => model.to_string(),
            Text::Promela { program, .. } => program.to_string(),
            Text::Symmetric { source, .. } => source.clone(),
        }
    }

    /// The options that say what is asked.
    pub fn question(&self) -> Vec<String> {
        match self {
            Text::Uppaal(model) => vec!["--query".into(), model.query()],
            Text::Promela { question, .. } => question.clone(),
            Text::Symmetric { query, .. } => vec!["--query".into(), query.clone()],
        }
    }

    /// Whether some option of its question only works with the text itself.
    pub fn is_bound_to_file(&self) -> bool {
        let fine = |word: &String| !word.starts_with("--") || word.starts_with("--query-index");
        match self {
            Text::Uppaal(model) => model.query.is_none(),
            Text::Promela { question, .. } => !question.iter().all(fine),
            Text::Symmetric { .. } => true,
        }
    }

    /// The files that are converted to a network with the same question.
    pub fn convertible(&self) -> Vec<&'static str> {
        match self {
            Text::Uppaal(_) => vec![self.file(), "m.q"],
            Text::Promela { .. } | Text::Symmetric { .. } => vec![self.file()],
        }
    }

    /// The options that say what is asked of that network.
    pub fn converted_question(&self) -> Vec<String> {
        match self {
            Text::Uppaal(_) | Text::Symmetric { .. } => vec!["--query-index".into(), "1".into()],
            Text::Promela { question, .. } => question.clone(),
        }
    }

    /// The model and the question about it, if the text is valid.
    pub fn model(&self) -> Option<(Model, PropertyId)> {
        let input = Input::text(self.file(), self.source());
        let (input, question) = match self {
            Text::Uppaal(model) if model.query.is_some() => (input.query(model.query()), 0),
            Text::Uppaal(_) => (input.query(NO_ERRORS), 0),
            Text::Promela { question, .. } => asking(input, question)?,
            Text::Symmetric { query, .. } => (input.query(query), 0),
        };
        let model = Model::load(input).ok()?;
        let property = model.properties().nth(question)?;
        Some((model, property))
    }
}

impl Cuttable for Text {
    fn cut(&mut self, cut: &mut Cut) -> bool {
        match self {
            Text::Uppaal(model) => model.cut(cut),
            Text::Promela { program, .. } => program.cut(cut),
            Text::Symmetric { .. } => false,
        }
    }
}

fn symmetric(language: Language, seed: u64) -> Text {
    let mut numbers = Numbers::new(seed);
    let is_timed = numbers.chance(50);
    let Symmetric { text, mut queries } = match language {
        Language::Promela => symmetric::promela(&mut numbers),
        Language::Uppaal => symmetric::uppaal(&mut numbers, is_timed),
    };
    queries.push(NO_ERRORS.to_string());
    let query = numbers.one(&queries).clone();
    Text::Symmetric { language, source: text, query }
}

/// A program as it is read with these arguments, and the number of the property that they ask about.
fn asking(input: Input, arguments: &[String]) -> Option<(Input, usize)> {
    let has = |flag: &str| arguments.iter().any(|it| it == flag);
    let promela = Promela {
        deadlock: !has("--no-deadlock"),
        asserts: !has("--no-assert"),
        strict_end: has("--strict-end"),
        ..Promela::default()
    };
    let number = values(arguments, "--query-index").first().map(|it| it.parse::<usize>());
    let index = number.map_or(Ok(0), |number| number.map(|it| it - 1)).ok()?;
    Some((Input { queries: values(arguments, "--query"), promela, ..input }, index))
}

/// The values of an option.
fn values(arguments: &[String], option: &str) -> Vec<String> {
    let pairs = arguments.windows(2).filter(|pair| pair[0] == option);
    pairs.map(|pair| pair[1].clone()).collect()
}

/// A program; its errors are the question, its claim, or values of its variables.
fn promela(seed: u64) -> Text {
    let mut numbers = Numbers::new(seed ^ 0x5EED);
    let program = generate(seed, &weights(&mut numbers));
    let source = program.to_string();
    let has_claim = source.contains("never {") || source.contains("ltl {");
    let globals = globals(&source);
    let question: &[&str] = match numbers.below(8) {
        0..=2 => &["--query-index", "1", "--no-deadlock"],
        3 => &["--query-index", "1", "--strict-end"],
        4..=6 if has_claim => &["--query-index", "2"],
        4 | 5 if !globals.is_empty() => &["--query", &query(&globals, &mut numbers)],
        _ => &["--query-index", "1"],
    };
    let question = question.iter().map(|word| word.to_string()).collect();
    Text::Promela { program, question }
}

/// Small programs, each with a few of the constructs that are not everywhere.
fn weights(numbers: &mut Numbers) -> Weights {
    const RARE: [&str; 10] = [
        "reply=40",
        "subtype=100",
        "priority=30",
        "claim=100",
        "extreme=12",
        "dead=12",
        "wild=25",
        "assert=40",
        "unless=25",
        "d_step=20",
    ];
    let mut weights = Weights::default();
    let chosen: Vec<&str> = RARE.into_iter().filter(|_| numbers.chance(20)).collect();
    // Spin refuses priorities beside a rendezvous.
    let without = chosen.contains(&"priority=30").then_some("rendezvous=0");
    let size = numbers.pick(&["size=8", "size=16", "size=30", "size=45"]).copied();
    for weight in ["assert=12", "wild=5"].into_iter().chain(chosen).chain(without).chain(size) {
        weights.set(weight).expect("a construct of the table");
    }
    weights
}

/// Names of global variables that are no arrays.
fn globals(text: &str) -> Vec<String> {
    let lines = text.lines().take_while(|line| !line.contains('{'));
    let words = lines.filter_map(|line| {
        let word = line.split_whitespace().find(|word| word.starts_with('g'))?;
        Some(word.trim_end_matches(';').to_owned())
    });
    words.filter(|word| word.chars().all(char::is_alphanumeric)).collect()
}

fn query(globals: &[String], numbers: &mut Numbers) -> String {
    let mut atoms = Vec::new();
    for _ in 0..numbers.between(1, 2) {
        let name = numbers.pick(globals).map_or("_nr_pr", String::as_str);
        let relation = numbers.pick(&["==", "!=", ">"]).copied().unwrap_or("==");
        atoms.push(format!("{name} {relation} {}", numbers.between(0, 3)));
    }
    let quantifier = if numbers.chance(70) { "E<>" } else { "A[]" };
    format!("{quantifier} {}", atoms.join(" && "))
}
