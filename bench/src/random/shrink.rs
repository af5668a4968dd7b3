//! Makes a program smaller as long as something about it stays.

use super::program::{Expression, Part, Program, Statement, Unit};

/// The smallest program found that keeps the property: no single cut of it does.
pub fn shrink(program: Program, keeps: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut at = 0;
    let mut changed = false;
    loop {
        let mut cut = Cut { wanted: at, seen: 0 };
        let mut candidate = best.clone();
        if !cut.program(&mut candidate) {
            if !changed {
                return best;
            }
            // What did not work before may work now that the rest is smaller.
            (at, changed) = (0, false);
        } else if candidate != best && keeps(&candidate) {
            // The next cut has the same number now.
            (best, changed) = (candidate, true);
        } else {
            at += 1;
        }
    }
}

/// Makes the cut with a number; the number of cuts is found by trying.
struct Cut {
    wanted: usize,
    seen: usize,
}

impl Cut {
    /// Whether this is the one.
    fn is_here(&mut self) -> bool {
        self.seen += 1;
        self.seen == self.wanted + 1
    }

    /// Makes the cut; false if there are not so many.
    fn program(&mut self, program: &mut Program) -> bool {
        if self.shorter(&mut program.units) {
            return true;
        }
        program.units.iter_mut().any(|unit| match unit {
            Unit::Line(line) => self.line(line),
            Unit::Body { head, body } => self.head(head) || self.body(body),
        })
    }

    /// Leaves out some items: half of them, a quarter, and so on down to one.
    fn shorter<T>(&mut self, items: &mut Vec<T>) -> bool {
        let mut size = items.len();
        while size > 0 {
            for start in (0..items.len()).step_by(size) {
                if self.is_here() {
                    items.drain(start..(start + size).min(items.len()));
                    return true;
                }
            }
            size /= 2;
        }
        false
    }

    /// Simplifies a declaration.
    fn line(&mut self, line: &mut String) -> bool {
        const SIMPLER: [(&str, &str); 8] = [
            ("short ", "byte "),
            ("int ", "byte "),
            ("hidden ", ""),
            ("show ", ""),
            ("local ", ""),
            ("= [3]", "= [1]"),
            ("= [2]", "= [1]"),
            ("mtype ", "byte "),
        ];
        SIMPLER.iter().any(|(from, to)| {
            let found = line.contains(from) && self.is_here();
            if found {
                *line = line.replacen(from, to, 1);
            }
            found
        })
    }

    fn head(&mut self, head: &mut Vec<Part>) -> bool {
        if head.len() > 1 && self.is_here() {
            head.truncate(1);
            return true;
        }
        if let Some(Part::Text(text)) = head.first_mut()
            && text.starts_with("active [2] ")
            && self.is_here()
        {
            *text = text.replacen("[2] ", "", 1);
            return true;
        }
        self.parts(head)
    }

    fn body(&mut self, body: &mut Vec<Statement>) -> bool {
        if self.shorter(body) {
            return true;
        }
        for i in 0..body.len() {
            if let Some(inner) = self.opened(&body[i]) {
                body.splice(i..=i, inner);
                return true;
            }
            if self.statement(&mut body[i]) {
                return true;
            }
        }
        false
    }

    /// What is inside a statement, in its place.
    fn opened(&mut self, statement: &Statement) -> Option<Vec<Statement>> {
        let insides: Vec<Vec<Statement>> = match statement {
            Statement::Simple(_) => Vec::new(),
            Statement::Labelled(_, inner) => vec![vec![(**inner).clone()]],
            Statement::Block(_, body) | Statement::For(_, body) => vec![body.clone()],
            Statement::Choice(_, options) => options.clone(),
            Statement::Unless(main, escape) => vec![main.clone(), escape.clone()],
        };
        insides.into_iter().find(|_| self.is_here())
    }

    fn statement(&mut self, statement: &mut Statement) -> bool {
        match statement {
            Statement::Simple(parts) => self.parts(parts),
            Statement::Labelled(_, inner) => self.statement(inner),
            Statement::Block(_, body) => self.body(body),
            Statement::Choice(_, options) => {
                self.shorter(options) || options.iter_mut().any(|option| self.body(option))
            }
            Statement::Unless(main, escape) => self.body(main) || self.body(escape),
            Statement::For(head, body) => self.parts(head) || self.body(body),
        }
    }

    fn parts(&mut self, parts: &mut [Part]) -> bool {
        parts.iter_mut().any(|part| match part {
            Part::Text(_) => false,
            Part::Expression(expression) => self.expression(expression),
        })
    }

    /// An expression becomes one of those inside it, or a number.
    fn expression(&mut self, expression: &mut Expression) -> bool {
        let numbers = ["0", "1"].map(Expression::leaf);
        if numbers.contains(expression) {
            return false;
        }
        let simpler = expression.inner().chain(&numbers).find(|_| self.is_here());
        if let Some(simpler) = simpler.cloned() {
            *expression = simpler;
            return true;
        }
        self.parts(&mut expression.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{generate, weights::Weights};
    use super::*;

    #[test]
    fn what_is_not_needed_goes() {
        let program = (0..).map(|seed| generate(seed, &Weights::default()));
        let mut program = program.filter(|program| program.to_string().contains("assert("));
        let program = program.next().expect("some program has an assertion");
        let small = shrink(program, &mut |p| p.to_string().contains("assert("));
        assert_eq!(small.units.len(), 1, "{small}");
        assert!(small.to_string().lines().count() <= 3, "{small}");
    }
}
