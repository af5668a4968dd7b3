//! Models by others: they are no part of the project, and not everybody has them.

use std::path::Path;

/// Where the models of a kind are, whether or not anything is there.
pub fn models_of_others(kind: &str) -> std::path::PathBuf {
    Path::new(env!("MODELS_OF_OTHERS")).join(kind)
}

/// Makes tests of functions that need the models of others.
#[cfg(models_of_others)]
#[macro_export]
macro_rules! test_with_models_of_others {
    ($($name:ident),+ $(,)?) => {
        mod models_of_others {
            $(#[test]
            fn $name() {
                super::$name();
            })+
        }
    };
}

/// Makes tests of functions that need the models of others, which are not here: ignored, not passed.
#[cfg(not(models_of_others))]
#[macro_export]
macro_rules! test_with_models_of_others {
    ($($name:ident),+ $(,)?) => {
        mod models_of_others {
            $(#[test]
            #[ignore = "the models of others are not here"]
            fn $name() {
                super::$name();
            })+
        }
    };
}
