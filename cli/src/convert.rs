//! `vizsla convert`: a model in another form.

use crate::arguments::{Convert, Form, Source};
use crate::exit::Exit;
use crate::output::Output;
use crate::{diagnostics, dot, files, input, refusal};
use vizsla::{Input, Model, Refusal, trail};

/// Writes the model in the form that the user asks for.
pub fn run(arguments: &Convert, output: &Output) -> Exit {
    let model = match open(&arguments.source, output) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    let text = match arguments.to {
        Form::Network => network::print(&model.network),
        Form::Dot => dot::draw(&model.network),
        Form::Transitions => match trail::transitions(&model) {
            Some(text) => text,
            None => {
                output.complain("only Promela models have transitions with numbers");
                return Exit::Wrong;
            }
        },
    };
    let Some(path) = &arguments.output else {
        return if output.print_data(&text) { Exit::Satisfied } else { Exit::Wrong };
    };
    match files::write(path, &text, &model.files) {
        Ok(()) => Exit::Satisfied,
        Err(why) => {
            output.complain(&format!("cannot write `{}`: {why}", path.display()));
            Exit::Wrong
        }
    }
}

/// Loads a model and shows what is wrong or odd about it.
pub fn open(source: &Source, output: &Output) -> Result<Model, Exit> {
    match load(source) {
        Ok(model) => {
            diagnostics::show(output, &model.warnings);
            Ok(model)
        }
        Err(refusal) => Err(refusal::show(refusal, output)),
    }
}

fn load(source: &Source) -> Result<Model, Refusal> {
    let query_file = source.query_file.as_ref();
    Model::load(Input {
        language: source.language.map(Into::into),
        query_file: query_file.map(|path| input::source(path, "query file")).transpose()?,
        ..Input::of(input::source(&source.model, "model")?)
    })
}
