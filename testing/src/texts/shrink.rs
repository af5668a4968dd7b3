//! How Promela programs are made smaller.

use super::cut::{Cut, Cuttable};
use super::parts::Part;
use super::program::{Program, Statement, Unit};

impl Cuttable for Program {
    fn cut(&mut self, cut: &mut Cut) -> bool {
        if cut.shorter(&mut self.units) {
            return true;
        }
        self.units.iter_mut().any(|unit| match unit {
            Unit::Line(line) => cut.line(line),
            Unit::Body { head, body } => cut.head(head) || cut.body(body),
        })
    }
}

impl Cut {
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
}

#[cfg(test)]
mod tests {
    use super::super::{generate, shrink, weights::Weights};

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
