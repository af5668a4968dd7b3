//! How often the constructs of random programs occur.

/// A construct whose weight can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Construct {
    Assign,
    Increment,
    Condition,
    Send,
    Receive,
    If,
    Do,
    Atomic,
    DStep,
    Unless,
    Goto,
    Block,
    For,
    Select,
    Call,
    Run,
    Declare,
    Skip,
    Print,
    Assert,
    ChannelValue,
    Else,
    Timeout,
    Label,
    EndLabel,
    Poll,
    Probe,
    Remote,
    Provided,
    Hidden,
    Struct,
    Array,
    Channel,
    Rendezvous,
    Nondeterminism,
    Init,
    Wild,
    Size,
    Processes,
    Macro,
    Reply,
    Subtype,
    Priority,
    Claim,
    Extreme,
    Dead,
}

use Construct::*;

/// The constructs with their names and usual weights. Those of statements, which come first, are
/// relative to each other; the others say in how many of a hundred cases. Those at the end do not occur
/// unless somebody asks for them, so that the programs of a seed stay what they were.
const TABLE: [(Construct, &str, u32); 46] = [
    (Assign, "assign", 20),
    (Increment, "increment", 8),
    (Condition, "condition", 12),
    (Send, "send", 14),
    (Receive, "receive", 14),
    (If, "if", 9),
    (Do, "do", 7),
    (Atomic, "atomic", 8),
    (DStep, "d_step", 4),
    (Unless, "unless", 5),
    (Goto, "goto", 4),
    (Block, "block", 2),
    (For, "for", 2),
    (Select, "select", 2),
    (Call, "call", 3),
    (Run, "run", 3),
    (Declare, "declare", 2),
    (Skip, "skip", 2),
    (Print, "print", 1),
    (Assert, "assert", 2),
    (ChannelValue, "channel-value", 2),
    (Else, "else", 40),
    (Timeout, "timeout", 8),
    (Label, "label", 15),
    (EndLabel, "end-label", 20),
    (Poll, "poll", 8),
    (Probe, "probe", 15),
    (Remote, "remote", 5),
    (Provided, "provided", 8),
    (Hidden, "hidden", 8),
    (Struct, "struct", 15),
    (Array, "array", 25),
    (Channel, "channel", 75),
    (Rendezvous, "rendezvous", 40),
    (Nondeterminism, "nondeterminism", 25),
    (Init, "init", 50),
    (Wild, "wild", 3),
    (Size, "size", 50),
    (Processes, "processes", 50),
    (Macro, "macro", 10),
    (Reply, "reply", 0),
    (Subtype, "subtype", 0),
    (Priority, "priority", 0),
    (Claim, "claim", 0),
    (Extreme, "extreme", 0),
    (Dead, "dead", 0),
];

/// A weight for each construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights([u32; TABLE.len()]);

impl Default for Weights {
    fn default() -> Self {
        Weights(TABLE.map(|(_, _, weight)| weight))
    }
}

impl Weights {
    /// The weight of a construct.
    pub fn of(&self, construct: Construct) -> u32 {
        self.0[construct as usize]
    }

    /// Takes `name=weight`.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let Some((name, value)) = text.split_once('=') else {
            let all: Vec<String> =
                TABLE.iter().map(|&(c, name, _)| format!("{name}={}", self.of(c))).collect();
            return Err(format!("the weights are {}", all.join(" ")));
        };
        let found = TABLE.iter().find(|row| row.1 == name);
        let (construct, _, _) = found.ok_or(format!("`{name}` is no construct"))?;
        self.0[*construct as usize] =
            value.parse().map_err(|_| format!("`{value}` is no weight"))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (row, i) in TABLE.iter().zip(0..) {
            assert_eq!(row.0 as usize, i, "{}", row.1);
        }
    }

    #[test]
    fn weights_are_set_by_name() {
        let mut weights = Weights::default();
        assert!(weights.set("unless=77").is_ok() && weights.of(Unless) == 77);
        assert!(weights.set("unless").is_err() && weights.set("nothing=1").is_err());
        assert!(weights.set("unless=-1").is_err());
    }
}
