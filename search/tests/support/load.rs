//! Networks from texts.

use network::Network;

/// From network text.
pub fn network(text: &str) -> Network {
    let network = network::parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(network::verify(&network), []);
    network
}

/// From an UPPAAL model.
pub fn uppaal(text: &str, query: &str) -> Network {
    let queries = [query.to_string()];
    let input = uppaal::Input {
        path: "m.xta",
        bytes: text.as_bytes(),
        query_file: None,
        queries: &queries,
    };
    let loaded = uppaal::load(&input);
    loaded.network.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
}

/// From a Promela program.
pub fn promela(text: &str, queries: &[String], options: promela::Options) -> Network {
    let loaded = promela::load(promela::Input {
        path: "m.pml",
        bytes: text.as_bytes(),
        defines: &[],
        queries,
        options,
        read_include: &mut |_| Err("there is none".into()),
    });
    loaded.network.unwrap_or_else(|| panic!("{queries:?}: {:?}\n{text}", loaded.diagnostics))
}
