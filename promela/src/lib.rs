//! Promela: from text to a network.
