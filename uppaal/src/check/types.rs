//! Types of the language after names and sizes are resolved.
//!
//! Structs are kept as arrays of their parts: a type has *leaves*, one for each path of field names
//! to something that is no struct, each with the dimensions met on the way.

use network::{Dimension, ScalarSetId, Type};
use std::fmt;
use std::rc::Rc;

/// The default range of `int`.
pub(crate) const INT: Ty = Ty::Int { low: -32768, high: 32767 };

/// Constants of type `int`: without a written range they hold any number, because real models have
/// constants of more than 32767.
pub(crate) const CONST_INT: Ty = Ty::Int { low: i32::MIN, high: i32::MAX };

/// A resolved type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Ty {
    /// Integers from `low` to `high`; empty if `low > high`.
    Int {
        low: i32,
        high: i32,
    },
    Bool,
    /// A scalar set.
    Scalar {
        set: ScalarSetId,
        size: u32,
    },
    Clock,
    Channel {
        urgent: bool,
        broadcast: bool,
    },
    Array(Rc<ArrayTy>),
    Struct(Rc<StructTy>),
    Void,
    /// Something wrong that was reported where it stands.
    Error,
}

#[derive(PartialEq, Debug)]
pub(crate) struct ArrayTy {
    /// The first index; 0 unless the array is indexed by a range that begins elsewhere.
    pub low: i32,
    pub dimension: Dimension,
    pub element: Ty,
    size: Size,
}

#[derive(PartialEq, Debug)]
pub(crate) struct StructTy {
    pub fields: Vec<(String, Ty)>,
    size: Size,
}

/// Sums over all parts, kept because nested types may have very many.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Size {
    leaves: usize,
    elements: u64,
}

/// A part of a type that is no struct.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// `.x.y`, or empty if there is no struct.
    pub path: String,
    pub ty: Ty,
    pub dimensions: Vec<Dimension>,
}

impl Ty {
    pub fn array(low: i32, dimension: Dimension, element: Ty) -> Ty {
        let Size { leaves, elements } = element.size();
        let elements = elements.saturating_mul(u64::from(dimension.size));
        let size = Size { leaves, elements };
        Ty::Array(Rc::new(ArrayTy { low, dimension, element, size }))
    }

    pub fn structure(fields: Vec<(String, Ty)>) -> Ty {
        let mut size = Size { leaves: 0, elements: 0 };
        for (_, ty) in &fields {
            let part = ty.size();
            size.leaves = size.leaves.saturating_add(part.leaves);
            size.elements = size.elements.saturating_add(part.elements);
        }
        Ty::Struct(Rc::new(StructTy { fields, size }))
    }

    fn size(&self) -> Size {
        match self {
            Ty::Array(array) => array.size,
            Ty::Struct(it) => it.size,
            _ => Size { leaves: 1, elements: 1 },
        }
    }

    /// Whether it is an array or a struct.
    pub fn is_compound(&self) -> bool {
        matches!(self, Ty::Array(_) | Ty::Struct(_))
    }

    /// Whether values of it can be computed with: `int`, `bool`, scalars.
    pub fn is_data(&self) -> bool {
        matches!(self, Ty::Int { .. } | Ty::Bool | Ty::Scalar { .. } | Ty::Error)
    }

    /// Whether no part of it is a clock or channel.
    pub fn is_all_data(&self) -> bool {
        match self {
            Ty::Array(array) => array.element.is_all_data(),
            Ty::Struct(it) => it.fields.iter().all(|(_, ty)| ty.is_all_data()),
            other => other.is_data(),
        }
    }

    /// The range of a data type in the network.
    pub fn range(&self) -> Type {
        match self {
            Ty::Int { low, high } => Type::range(*low, *high),
            Ty::Bool => Type::BOOL,
            Ty::Scalar { set, size } => {
                Type { scalar: Some(*set), ..Type::range(0, *size as i32 - 1) }
            }
            _ => Type::ANY,
        }
    }

    /// The values a binder of this type runs through; none if it has no end.
    pub fn values(&self) -> Option<std::ops::RangeInclusive<i32>> {
        match self {
            Ty::Int { low, high } => Some(*low..=*high),
            Ty::Bool => Some(0..=1),
            Ty::Scalar { size, .. } => Some(0..=*size as i32 - 1),
            _ => None,
        }
    }

    /// The scalar set of its values.
    pub fn scalar(&self) -> Option<ScalarSetId> {
        match self {
            Ty::Scalar { set, .. } => Some(*set),
            _ => None,
        }
    }

    /// The number of elements of all its leaves.
    pub fn elements(&self) -> u64 {
        self.size().elements
    }

    pub fn leaf_count(&self) -> usize {
        self.size().leaves
    }

    /// All leaves, in field order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut String::new(), &mut Vec::new(), &mut leaves);
        leaves
    }

    fn collect_leaves(&self, path: &mut String, dims: &mut Vec<Dimension>, out: &mut Vec<Leaf>) {
        match self {
            Ty::Array(array) => {
                dims.push(array.dimension);
                array.element.collect_leaves(path, dims, out);
                dims.pop();
            }
            Ty::Struct(it) => {
                for (name, ty) in &it.fields {
                    let length = path.len();
                    // The indices before a field stand before its name: `a[].x`.
                    let pending = dims.len() - path.matches("[]").count();
                    (0..pending).for_each(|_| path.push_str("[]"));
                    path.push('.');
                    path.push_str(name);
                    ty.collect_leaves(path, dims, out);
                    path.truncate(length);
                }
            }
            _ => out.push(Leaf { path: path.clone(), ty: self.clone(), dimensions: dims.clone() }),
        }
    }

    /// Whether a value of the type `from` may be copied here: the same shape and kinds.
    pub fn accepts(&self, from: &Ty) -> bool {
        match (self, from) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Int { .. } | Ty::Bool, Ty::Int { .. } | Ty::Bool) => true,
            (Ty::Scalar { set: a, .. }, Ty::Scalar { set: b, .. }) => a == b,
            (Ty::Array(a), Ty::Array(b)) => {
                (a.low, a.dimension) == (b.low, b.dimension) && a.element.accepts(&b.element)
            }
            (Ty::Struct(a), Ty::Struct(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|((_, a), (_, b))| a.accepts(b))
            }
            (Ty::Clock, Ty::Clock) | (Ty::Channel { .. }, Ty::Channel { .. }) => true,
            _ => false,
        }
    }
}

impl ArrayTy {
    /// The dimension as one would write it.
    fn brackets(&self) -> String {
        match self.low {
            0 => format!("[{}]", self.dimension.size),
            low => format!("[int[{low},{}]]", i64::from(low) + i64::from(self.dimension.size) - 1),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ty if *ty == INT || *ty == CONST_INT => write!(f, "int"),
            Ty::Int { low, high } => write!(f, "int[{low},{high}]"),
            Ty::Bool => write!(f, "bool"),
            Ty::Scalar { size, .. } => write!(f, "scalar[{size}]"),
            Ty::Clock => write!(f, "clock"),
            Ty::Channel { urgent, broadcast } => {
                let urgent = if *urgent { "urgent " } else { "" };
                let broadcast = if *broadcast { "broadcast " } else { "" };
                write!(f, "{urgent}{broadcast}chan")
            }
            Ty::Array(array) => {
                let (mut inner, mut sizes) = (&array.element, array.brackets());
                while let Ty::Array(next) = inner {
                    sizes += &next.brackets();
                    inner = &next.element;
                }
                write!(f, "{inner}{sizes}")
            }
            Ty::Struct(it) => {
                write!(f, "struct {{ ")?;
                for (name, ty) in &it.fields {
                    write!(f, "{ty} {name}; ")?;
                }
                write!(f, "}}")
            }
            Ty::Void => write!(f, "void"),
            Ty::Error => write!(f, "?"),
        }
    }
}
