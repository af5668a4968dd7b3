//! Heuristics that are kept between runs: what was made with much work, and what it was made for.
//!
//! A file begins with lines of text: the format, the version of the program, the name of the heuristic, and
//! fingerprints of what it was made for. Then come the bytes of the heuristic, and the fingerprint of all
//! that. Each byte changes that fingerprint whatever comes after it, so no single one can be wrong unnoticed.

use crate::fingerprint::Fingerprint;
use crate::view::Asked;
use network::Network;
use search::catalog::HeuristicEntry;

/// A heuristic that was saved, as it is in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedHeuristic {
    purpose: Purpose,
    content: Vec<u8>,
}

/// What a heuristic was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Purpose {
    /// The version of the program: another one may see states otherwise.
    version: String,
    heuristic: String,
    /// Fingerprints of the model, the question, what steps cost, and the network that is searched.
    model: u64,
    question: u64,
    costs: u64,
    searched: u64,
    /// How many processes the model had room for.
    processes: usize,
}

const MAGIC: &str = "vizsla heuristic, format ";
/// Another one whenever other bytes are written, or the same ones mean something else.
const FORMAT: &str = "2";
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Purpose {
    /// To answer a question on a network with a heuristic.
    pub fn new(asked: Asked, searched: &Network, entry: &HeuristicEntry) -> Purpose {
        let text = |network: &Network| Fingerprint::of(network::print(network).as_bytes());
        let shown = |what: String| Fingerprint::of(what.as_bytes());
        let model = Network { properties: Default::default(), ..asked.model.network.clone() };
        Purpose {
            version: VERSION.to_string(),
            heuristic: entry.name.to_string(),
            model: text(&model).number(),
            question: shown(format!("{:?}", asked.property)).number(),
            costs: shown(format!("{:?}", asked.options.costs)).number(),
            searched: text(searched).number(),
            processes: model.processes.len(),
        }
    }

    fn header(&self) -> String {
        let Purpose { version, heuristic, model, question, costs, searched, processes } = self;
        format!(
            "{MAGIC}{FORMAT}\n{version}\n{heuristic}\n\
             {model:x} {question:x} {costs:x} {searched:x} {processes:x}\n"
        )
    }

    fn parse(lines: [&str; 3]) -> Option<Purpose> {
        let [version, heuristic, numbers] = lines;
        let numbers: Option<Vec<u64>> =
            numbers.split(' ').map(|it| u64::from_str_radix(it, 16).ok()).collect();
        let [model, question, costs, searched, processes] = numbers?.try_into().ok()?;
        let [version, heuristic] = [version, heuristic].map(str::to_string);
        let processes = usize::try_from(processes).ok()?;
        Some(Purpose { version, heuristic, model, question, costs, searched, processes })
    }
}

impl SavedHeuristic {
    pub(crate) fn new(purpose: Purpose, content: Vec<u8>) -> SavedHeuristic {
        SavedHeuristic { purpose, content }
    }

    /// What is written to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.purpose.header().into_bytes();
        bytes.extend_from_slice(&self.content);
        let checksum = Fingerprint::of(&bytes).number();
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// What was written to a file, or what is wrong with it: "it ...".
    pub fn from_bytes(bytes: &[u8]) -> Result<SavedHeuristic, String> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or("it is not a saved heuristic")?;
        let damaged = "it is damaged";
        let format = rest.split(|&byte| byte == b'\n').next().ok_or(damaged)?;
        if format != FORMAT.as_bytes() {
            let format = String::from_utf8_lossy(&format[..format.len().min(20)]).into_owned();
            return Err(format!("it has the format {format:?}, and this version reads {FORMAT}"));
        }
        let (told, checksum) = bytes.split_last_chunk().ok_or(damaged)?;
        if Fingerprint::of(told).number() != u64::from_le_bytes(*checksum) {
            return Err(damaged.to_string());
        }
        let mut lines = told.splitn(5, |&byte| byte == b'\n');
        let mut line = || lines.next().and_then(|line| std::str::from_utf8(line).ok());
        let (_, header) = (line(), [line(), line(), line()]);
        let [Some(version), Some(heuristic), Some(numbers)] = header else {
            return Err(damaged.to_string());
        };
        let purpose = Purpose::parse([version, heuristic, numbers]).ok_or(damaged)?;
        let content = lines.next().ok_or(damaged)?.to_vec();
        Ok(SavedHeuristic { purpose, content })
    }

    /// The heuristic as it was made, if it was made for the same, or why it is of no use: "it ...".
    pub(crate) fn content_for(&self, wanted: &Purpose) -> Result<&[u8], String> {
        let own = &self.purpose;
        let why = if own.version != wanted.version {
            format!("is of version {} of this program", own.version)
        } else if own.model != wanted.model {
            "was made for another model, or for an earlier form of it".to_string()
        } else if own.question != wanted.question {
            "was made for another query".to_string()
        } else if own.heuristic != wanted.heuristic {
            format!("is of the heuristic {}, not {}", own.heuristic, wanted.heuristic)
        } else if own.costs != wanted.costs {
            "was made for other costs".to_string()
        } else if own.searched != wanted.searched {
            "was made for a search that reduces the model in another way".to_string()
        } else {
            return Ok(&self.content);
        };
        Err(format!("it {why}"))
    }

    /// Said where no heuristic is wanted.
    pub(crate) fn unwanted(&self) -> String {
        format!("it is of the heuristic {}, and none is asked for", self.purpose.heuristic)
    }

    /// How many processes there must be room for in a model.
    pub(crate) fn processes(&self) -> usize {
        self.purpose.processes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> SavedHeuristic {
        let [version, heuristic] = ["0.1.0", "cone-of-influence"].map(str::to_string);
        let (model, question, costs, searched) = (1, u64::MAX, 0, 0x1234_5678_9abc_def0);
        let purpose =
            Purpose { version, heuristic, model, question, costs, searched, processes: 7 };
        SavedHeuristic::new(purpose, (0..=255).chain(*b"\n\n\0").collect())
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(SavedHeuristic::from_bytes(&some().to_bytes()), Ok(some()));
        let empty = SavedHeuristic::new(some().purpose, Vec::new());
        assert_eq!(SavedHeuristic::from_bytes(&empty.to_bytes()), Ok(empty));
    }

    /// Seen to fail: with a checksum of the content alone.
    #[test]
    fn damage_is_noticed() {
        let bytes = some().to_bytes();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert!(SavedHeuristic::from_bytes(&flipped).is_err(), "bit {bit} of byte {at}");
            }
            assert!(SavedHeuristic::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(SavedHeuristic::from_bytes(&longer).is_err());
    }

    #[test]
    fn refusals_say_why() {
        let why = |bytes: &[u8]| SavedHeuristic::from_bytes(bytes).expect_err("refused");
        assert_eq!(why(b"{}"), "it is not a saved heuristic");
        let later = String::from_utf8_lossy(&some().to_bytes()).replace("format 2", "format 22");
        let told = "it has the format \"22\", and this version reads 2";
        assert_eq!(why(later.as_bytes()), told);
        let bytes = some().to_bytes();
        assert_eq!(why(&bytes[..bytes.len() - 1]), "it is damaged");
    }

    /// Every part of the purpose counts.
    ///
    /// Seen to fail: without the comparison of costs.
    #[test]
    fn another_purpose_is_refused() {
        let own = some().purpose;
        let why = |wanted: Purpose| some().content_for(&wanted).map(|_| ()).expect_err("refused");
        assert!(some().content_for(&own).is_ok());
        let other = |change: fn(&mut Purpose)| {
            let mut wanted = own.clone();
            change(&mut wanted);
            why(wanted)
        };
        assert!(other(|it| it.version = "0.2.0".to_string()).contains("version 0.1.0"));
        assert!(other(|it| it.model = 2).contains("another model"));
        assert!(other(|it| it.question = 2).contains("another query"));
        assert!(other(|it| it.heuristic = "blind".to_string()).contains("not blind"));
        assert!(other(|it| it.costs = 2).contains("other costs"));
        assert!(other(|it| it.searched = 2).contains("in another way"));
    }
}
