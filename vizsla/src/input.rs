//! What to load, and how to read it.

use crate::Language;
use std::path::{Path, PathBuf};

/// A text: a file that is still to be read, or one that is at hand already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its path; for a text at hand what messages call it.
    pub path: PathBuf,
    /// The text; none if it is to be read from the path.
    pub text: Option<Vec<u8>>,
}

impl Source {
    /// A file.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        Source { path: path.into(), text: None }
    }

    /// A text at hand.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Source {
        Source { path: name.into(), text: Some(text.into()) }
    }

    /// The name under which it appears in messages and reports.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// A model and the questions about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The model. What it includes is looked for beside its path.
    pub model: Source,
    /// What it is written in; if that is not given, its name and content tell.
    pub language: Option<Language>,
    /// Queries that replace those of the model.
    pub query_file: Option<Source>,
    /// Queries that replace all others.
    pub queries: Vec<String>,
    /// Whether to ask for run-time errors as well.
    pub errors: bool,
    /// How to read it if it is a Promela model.
    pub promela: Promela,
}

/// How to read a Promela model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promela {
    /// Macros and what they stand for.
    pub defines: Vec<(String, String)>,
    /// Folders from which the model may include files, beside its own.
    pub include: Vec<PathBuf>,
    /// Whether a state in which nothing can move although some process is not at a valid end is an
    /// error.
    pub deadlock: bool,
    /// Whether a failed assertion is an error.
    pub asserts: bool,
    /// Whether messages left in channels make an end state invalid.
    pub strict_end: bool,
    /// The never claim or formula to check; all of them if none is named.
    pub claim: Option<String>,
}

impl Default for Promela {
    fn default() -> Promela {
        let (defines, include, claim) = Default::default();
        Promela { defines, include, deadlock: true, asserts: true, strict_end: false, claim }
    }
}

impl Input {
    /// A model with its own questions.
    pub fn of(model: Source) -> Input {
        let (language, query_file, queries, errors, promela) = Default::default();
        Input { model, language, query_file, queries, errors, promela }
    }

    /// A model in a file.
    pub fn file(path: impl Into<PathBuf>) -> Input {
        Input::of(Source::file(path))
    }

    /// A model at hand; the ending of its name may tell its language.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Input {
        Input::of(Source::text(name, text))
    }

    /// The same with another question, which replaces those that the model has by itself.
    pub fn query(mut self, query: impl Into<String>) -> Input {
        self.queries.push(query.into());
        self
    }

    /// The same, written in this language.
    pub fn language(self, language: Language) -> Input {
        Input { language: Some(language), ..self }
    }
}

impl From<&Path> for Input {
    fn from(path: &Path) -> Input {
        Input::file(path)
    }
}
