//! A network that is ready to be searched.

use super::load;
use explore::{Abstraction, CompileError, Explorer};
use network::{Network, Property, PropertyId};
use search::Problem;

/// A network with its explorer.
pub struct Case {
    pub network: Network,
    pub explorer: Explorer,
}

impl Case {
    /// Compiles a network, unless it mixes what cannot be mixed.
    pub fn compile(network: Network, abstraction: Abstraction) -> Result<Case, CompileError> {
        let explorer = Explorer::compile(network.clone(), Some(property(&network)), abstraction)?;
        Ok(Case { network, explorer })
    }

    /// A network that can be compiled.
    pub fn new(network: Network) -> Case {
        let compiled = Case::compile(network, Abstraction::default());
        compiled.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// The network of a text.
    pub fn parse(text: &str) -> Case {
        Case::new(load::network(text))
    }

    pub fn problem(&self) -> Problem<'_> {
        Problem::of(&self.explorer)
    }

    pub fn initial(&self) -> Vec<i32> {
        let mut found = None;
        let mut visit = |state: &[i32], _: explore::Step| found = Some(state.to_vec());
        let raised = self.explorer.initial(&mut self.explorer.workspace(), &mut visit);
        raised.unwrap_or_else(|error| panic!("{error:?}"));
        found.expect("an initial state")
    }
}

/// The property that a network is searched for.
pub fn property(network: &Network) -> &Property {
    &network.properties[PropertyId(0)]
}
