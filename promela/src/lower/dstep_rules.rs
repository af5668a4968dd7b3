//! What may stand in a `d_step`: no jumps into it or out of it, no `run`, no `unless`, and no
//! label before its first statement. Spin refuses these too.

use super::flow::{El, ElementKind, Flow, Seq};
use crate::ast::Span;
use source::Diagnostic;

/// Every rule that a proctype breaks.
pub(super) fn check(flow: &Flow) -> Vec<Diagnostic> {
    let mut inside = vec![None; flow.elements.len()];
    for (element, it) in flow.elements.iter().enumerate() {
        if let (ElementKind::DStep(seq), None) = (&it.kind, inside[element]) {
            mark(flow, *seq, element, &mut inside);
        }
    }
    if inside.iter().all(Option::is_none) {
        return vec![];
    }
    let mut found: Vec<_> = (0..inside.len()).filter_map(|it| jump(flow, it, &inside)).collect();
    found.extend((0..inside.len()).filter(|&it| inside[it].is_some()).filter_map(|element| {
        let it = &flow.elements[element];
        misplaced(&it.kind, it.span)
    }));
    found.extend((0..inside.len()).filter_map(|element| label(flow, element)));
    found
}

/// Notes for every element below a sequence which `d_step` it is in.
fn mark(flow: &Flow, seq: Seq, d_step: El, inside: &mut [Option<El>]) {
    for element in flow.elements_of(seq) {
        inside[element] = Some(d_step);
        let it = &flow.elements[element];
        if let ElementKind::Block(inner) | ElementKind::Atomic(inner) | ElementKind::DStep(inner) =
            it.kind
        {
            mark(flow, inner, d_step, inside);
        }
        it.options.iter().for_each(|&option| mark(flow, option, d_step, inside));
    }
}

fn jump(flow: &Flow, element: El, inside: &[Option<El>]) -> Option<Diagnostic> {
    let it = &flow.elements[element];
    let ElementKind::Goto(jump) = &it.kind else { return None };
    let target = flow.destination(jump)?;
    if inside[target] == inside[element] {
        return None;
    }
    let message = match inside[element] {
        Some(_) => "this jump leaves its `d_step`",
        None => "this jump leads into a `d_step`",
    };
    Some(Diagnostic::error(message, it.span).hint("use `atomic` instead of `d_step`"))
}

fn misplaced(kind: &ElementKind, span: Span) -> Option<Diagnostic> {
    let message = match kind {
        ElementKind::Unless => "`unless` is not allowed in a `d_step`",
        ElementKind::Basic(basic) if basic.starts_process() => "`run` is not allowed in a `d_step`",
        _ => return None,
    };
    Some(Diagnostic::error(message, span).hint("use `atomic` instead of `d_step`"))
}

fn label(flow: &Flow, element: El) -> Option<Diagnostic> {
    let ElementKind::DStep(mut seq) = flow.elements[element].kind else { return None };
    loop {
        let first = flow.sequences[seq].first?;
        if let Some(label) = flow.labels.at(first).next() {
            let message = format!("the label `{}` before the first statement", label.name);
            let hint = format!("write `{}: d_step {{ ... }}`", label.name);
            return Some(Diagnostic::error(message, flow.elements[first].span).hint(hint));
        }
        match flow.elements[first].kind {
            ElementKind::Block(inner) => seq = inner,
            _ => return None,
        }
    }
}
