//! Small models and ways to run the program on them.

#![allow(dead_code)]

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Two processes that synchronise; `n` leaves its range in the seventh step.
pub const COUNTER: &str = "clock x;
int[0,3] n;
chan go[3];
process P() {
  state A { x <= 5 }, B;
  init A;
  trans A -> B { select i : int[0,2]; guard x >= 2; sync go[i]!; assign n = n + 1, x = 0; },
        B -> A { };
}
process Q() {
  state A;
  init A;
  trans A -> A { sync go[1]?; };
}
system P, Q;
";

/// A state space too large to explore in a test: 16 counters that count independently.
pub const HUGE: &str = "typedef int[0,15] id_t;
process P(const id_t id) {
  int[0,9] n;
  state A;
  init A;
  trans A -> A { guard n < 9; assign n = n + 1; },
        A -> A { guard n == 9; assign n = 0; };
}
system P;
";

/// A folder with files that vanishes at the end of the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }
    pub fn with(name: &str, text: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, text);
        folder
    }
    pub fn path(&self) -> &Path {
        self.0.path()
    }
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect(name)
    }
    /// Runs the program in the folder.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_input(arguments, "")
    }
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vizsla"));
        command.current_dir(self.path()).args(arguments).write_stdin(input);
        // What hangs is to fail some day, but not because the machine is busy.
        let output = command.timeout(std::time::Duration::from_secs(3600)).output().expect("a run");
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Demands an exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }
    /// The JSON document on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("{e}\n{}\n{}", self.out, self.err))
    }
    #[track_caller]
    pub fn says(&self, text: &str) -> &Run {
        assert!(self.out.contains(text), "not in the output: {text}\n{}", self.out);
        self
    }
    #[track_caller]
    pub fn complains(&self, text: &str) -> &Run {
        assert!(self.err.contains(text), "not in the errors: {text}\n{}", self.err);
        self
    }
}
