//! The locals of an edge, location, function or property while it is evaluated.

use network::{Arena, Edge, Id, Local, LocalId, Type};

pub(crate) struct Frame<'n> {
    locals: &'n Arena<LocalId, Local>,
    values: Vec<Vec<i32>>,
}

impl<'n> Frame<'n> {
    /// All locals as they start.
    pub fn new(locals: &'n Arena<LocalId, Local>) -> Self {
        let start = |local: &Local| vec![local.ty.zero(); local.len()];
        Frame { locals, values: locals.iter().map(start).collect() }
    }
    /// The locals of an edge with its selects bound.
    pub fn of_edge(edge: &'n Edge, selects: &[i32]) -> Self {
        let mut frame = Frame::new(&edge.locals);
        for (&local, &value) in edge.selects.iter().zip(selects) {
            frame.write(local, 0, value);
        }
        frame
    }
    pub fn ty(&self, local: LocalId) -> Type {
        self.locals[local].ty
    }
    pub fn sizes(&self, local: LocalId) -> &'n [u32] {
        &self.locals[local].sizes
    }
    pub fn read(&self, local: LocalId, element: usize) -> i32 {
        self.values[local.index()][element]
    }
    pub fn write(&mut self, local: LocalId, element: usize, value: i32) {
        self.values[local.index()][element] = value;
    }
}
