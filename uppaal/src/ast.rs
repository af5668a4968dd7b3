//! The syntax tree of an UPPAAL model, exactly as written: nothing is resolved or typed here.
//!
//! XML and textual models, old syntax and new, yield the same tree. Start reading at [`Model`].
//! Every node carries the [`Span`] of its text. The parser bounds the height of every
//! expression, statement and type, so plain recursion over the tree cannot exhaust the stack.

use source::Diagnostic;
pub use source::{Name, Span};

/// A whole model: global declarations, templates, the system section and its queries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Global declarations in order; never an [`Declaration::Instantiation`].
    pub declarations: Vec<Declaration>,
    /// Templates in order.
    pub templates: Vec<Template>,
    /// What follows the templates.
    pub system: SystemSection,
    /// Queries written in the model itself.
    pub queries: Vec<Query>,
}

/// The part of a model after its templates, ending in the `system` line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemSection {
    /// Declarations and instantiations in their written order.
    pub declarations: Vec<Declaration>,
    /// The processes and process sets of the `system` line in order.
    pub processes: Vec<ProcessName>,
    /// The measures of the `progress` block.
    pub progress: Vec<ProgressMeasure>,
    /// The rows of the `gantt` block.
    pub gantt: Vec<GanttRow>,
    /// The `system` line.
    pub span: Span,
}

/// One name on the `system` line.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessName {
    /// A template, or the left side of an instantiation.
    pub name: Name,
    /// How many `<` stand before it: a larger number means a higher priority.
    pub priority: u32,
}

/// `measure;` or `guard : measure;` within `progress { }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressMeasure {
    /// The condition under which the measure counts.
    pub guard: Option<Expr>,
    /// The integer that must not fall.
    pub measure: Expr,
}

/// `Name(i : T): condition -> colour, ...;` within `gantt { }`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttRow {
    /// The title of the row.
    pub name: Name,
    /// One row per combination of these.
    pub bindings: Vec<Binding>,
    /// The bars of the row.
    pub bars: Vec<GanttBar>,
}

/// `for (i : T) condition -> colour` or `condition -> colour`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttBar {
    /// One bar per combination of these.
    pub bindings: Vec<Binding>,
    /// When the bar is drawn.
    pub condition: Expr,
    /// The number of its colour.
    pub colour: Expr,
}

/// Anything that may stand in a declaration section.
#[derive(Clone, Debug, PartialEq)]
pub enum Declaration {
    /// `int x = 1, y[3];`, also clocks, channels and constants.
    Variables(Variables),
    /// `typedef int[0,3] id_t;`
    Typedef(Typedef),
    /// `int f(int a) { ... }`
    Function(Function),
    /// `chan priority a < default < b[0];`
    ChannelPriority(ChannelPriority),
    /// `P(const id_t i) = T(i, 3);`, only in the system section.
    Instantiation(Instantiation),
}

impl Declaration {
    /// The text of the whole declaration.
    pub fn span(&self) -> Span {
        match self {
            Declaration::Variables(it) => it.span,
            Declaration::Typedef(it) => it.span,
            Declaration::Function(it) => it.span,
            Declaration::ChannelPriority(it) => it.span,
            Declaration::Instantiation(it) => it.span,
        }
    }
}

/// Variables that share a written type.
#[derive(Clone, Debug, PartialEq)]
pub struct Variables {
    /// The type before the names. The old `const N 5;` has the type `const int`.
    pub ty: Type,
    /// The declared names, at least one.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// Type names that share a written type.
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// The type before the names.
    pub ty: Type,
    /// The declared names, at least one, without initialisers.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A declared name with its array dimensions and initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The declared name.
    pub name: Name,
    /// Array dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    /// The value after `=`.
    pub initialiser: Option<Initialiser>,
    /// From the name to the end of the initialiser.
    pub span: Span,
}

/// What stands between the brackets of an array declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Dimension {
    /// A number of elements, or a single name: then only the checker can tell whether it is a
    /// constant or a type.
    Size(Expr),
    /// A type that begins with a keyword, such as `int[0,3]`.
    Type(Type),
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Initialiser {
    /// A single expression.
    Value(Expr),
    /// `{ 1, 2 }` or `{ x: 1, y: 2 }`.
    List(Vec<InitialiserItem>, Span),
}

/// One item of an initialiser list.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialiserItem {
    /// The field before the colon.
    pub field: Option<Name>,
    /// Its value.
    pub value: Initialiser,
}

/// A type as written, without array dimensions: those stand at the declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The words before the type.
    pub prefix: Prefix,
    /// The type itself.
    pub kind: TypeKind,
    /// From the first prefix word to the end of the type.
    pub span: Span,
}

/// The words before a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// `const`
    pub constant: bool,
    /// `meta`
    pub meta: bool,
    /// `urgent`
    pub urgent: bool,
    /// `broadcast`
    pub broadcast: bool,
    /// `hybrid`
    pub hybrid: bool,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`, with its default range
    Int,
    /// `int[low, high]`
    Range(Box<Expr>, Box<Expr>),
    /// `clock`
    Clock,
    /// `chan`
    Channel,
    /// `void`
    Void,
    /// `double`
    Double,
    /// `string`
    String,
    /// `scalar[size]`
    Scalar(Box<Expr>),
    /// `struct { ... }`
    Struct(Vec<Field>),
    /// The name of a `typedef`.
    Named(String),
}

/// Fields of a struct that share a written type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The type before the names.
    pub ty: Type,
    /// The field names, at least one, without initialisers.
    pub declarators: Vec<Declarator>,
}

/// A function with its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The type of the result.
    pub result: Type,
    /// The declared name.
    pub name: Name,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// The body.
    pub body: Block,
    /// The whole declaration.
    pub span: Span,
}

/// A parameter of a function, template or partial instantiation.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The written type; repeated for every name of an old `int a, b; clock x`.
    pub ty: Type,
    /// Written with `&`, or a parameter of an old-syntax process, where only `const` is by value.
    pub by_reference: bool,
    /// The declared name.
    pub name: Name,
    /// Array dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    /// The whole parameter.
    pub span: Span,
}

/// The channels of a `chan priority` declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPriority {
    /// The levels between the `<`, lowest priority first.
    pub levels: Vec<Vec<PriorityItem>>,
    /// The whole declaration.
    pub span: Span,
}

/// One entry of a `chan priority` declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum PriorityItem {
    /// `default`: every channel not named.
    Default(Span),
    /// A channel, an array of channels or an element of one.
    Channel(Expr),
}

/// `name(parameters) = template(arguments);`
#[derive(Clone, Debug, PartialEq)]
pub struct Instantiation {
    /// The new process, or template if there are parameters.
    pub name: Name,
    /// The parameters that remain free.
    pub parameters: Vec<Parameter>,
    /// The template or earlier instantiation.
    pub template: Name,
    /// One argument per parameter of `template`.
    pub arguments: Vec<Expr>,
    /// The whole instantiation.
    pub span: Span,
}

/// A template (XML) or process declaration (XTA).
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The declared name.
    pub name: Name,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// Local declarations in order.
    pub declarations: Vec<Declaration>,
    /// Locations in order.
    pub locations: Vec<Location>,
    /// Branchpoints in order.
    pub branchpoints: Vec<Branchpoint>,
    /// Edges in order, with the two halves around a branchpoint still apart.
    pub edges: Vec<Edge>,
    /// Index of the initial location; missing only after an error.
    pub initial: Option<usize>,
    /// The whole template, or its name in XML.
    pub span: Span,
}

/// A location of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// Its name; `_` and the XML id if it has none.
    pub name: Name,
    /// Whether the name is such a substitute.
    pub anonymous: bool,
    /// The invariant; the commas of old syntax have become conjunctions.
    pub invariant: Option<Expr>,
    /// The rate of exponential delays, which symbolic analysis ignores.
    pub rate: Option<ExponentialRate>,
    /// No delay here.
    pub urgent: bool,
    /// No delay here, and some committed location must be left next.
    pub committed: bool,
    /// Where it is declared.
    pub span: Span,
}

/// `rate` or `numerator : denominator`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExponentialRate {
    /// The rate or its numerator.
    pub numerator: Expr,
    /// The part after the colon.
    pub denominator: Option<Expr>,
}

/// A point at which an edge splits into weighted branches.
#[derive(Clone, Debug, PartialEq)]
pub struct Branchpoint {
    /// Its name; `_` and the XML id in XML.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
}

/// One end of an edge, as an index into its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// Index into [`Template::locations`].
    Location(usize),
    /// Index into [`Template::branchpoints`].
    Branchpoint(usize),
}

/// An edge with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub source: Endpoint,
    /// Where it ends.
    pub target: Endpoint,
    /// False for `-u->` and `controllable="false"`; symbolic analysis ignores it.
    pub controllable: bool,
    /// The `select` bindings in order.
    pub selects: Vec<Binding>,
    /// The guard; the commas of old syntax have become conjunctions.
    pub guard: Option<Expr>,
    /// The synchronisation.
    pub sync: Option<Sync>,
    /// The comma-separated updates in order.
    pub updates: Vec<Expr>,
    /// The weight of a branch, which symbolic analysis ignores.
    pub weight: Option<Expr>,
    /// The edge (XTA), or its element's opening tag (XML).
    pub span: Span,
}

/// `name : type`, as in `select`, quantifiers, `for (i : T)` and `gantt`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The bound name.
    pub name: Name,
    /// The type it ranges over.
    pub ty: Type,
    /// The whole binding.
    pub span: Span,
}

/// A synchronisation label.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    /// The channel.
    pub channel: Expr,
    /// Which side this edge takes.
    pub direction: Direction,
    /// The whole label.
    pub span: Span,
}

/// The side an edge takes in a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `c!`
    Send,
    /// `c?`
    Receive,
    /// `c` alone, CSP style.
    Csp,
}

/// Statements in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Declarations and statements in order.
    pub statements: Vec<Statement>,
    /// With both braces.
    pub span: Span,
}

/// A statement and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// A local variable or type; the scope is the rest of the block.
    Declaration(Declaration),
    /// An expression evaluated for its effect.
    Expr(Expr),
    /// `{ ... }`
    Block(Block),
    /// `if (c) s else if (d) t else u` as a list of arms, so that long chains stay flat.
    If {
        /// Conditions with their statements, at least one.
        arms: Vec<(Expr, Statement)>,
        /// The last `else`.
        otherwise: Option<Box<Statement>>,
    },
    /// `for (init; condition; step) body`; each part may be missing.
    For {
        /// Evaluated once.
        init: Option<Expr>,
        /// Evaluated before every round.
        condition: Option<Expr>,
        /// Evaluated after every round.
        step: Option<Expr>,
        /// The loop body.
        body: Box<Statement>,
    },
    /// `for (i : T) body`
    Iterate {
        /// The loop variable and its type.
        binding: Binding,
        /// The loop body.
        body: Box<Statement>,
    },
    /// `while (condition) body`
    While {
        /// Evaluated before every round.
        condition: Expr,
        /// The loop body.
        body: Box<Statement>,
    },
    /// `do body while (condition);`
    DoWhile {
        /// The loop body.
        body: Box<Statement>,
        /// Evaluated after every round.
        condition: Expr,
    },
    /// `return;` or `return e;`
    Return(Option<Expr>),
    /// `assert e;`
    Assert(Expr),
}

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The whole expression, with the parentheses around it.
    pub span: Span,
}

/// The kinds of expressions. Parentheses leave no node.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer literal; `-2147483648` is a single literal.
    Int(i32),
    /// `true` or `false`
    Bool(bool),
    /// A literal with a fraction or exponent.
    Double(f64),
    /// `"text"`
    String(String),
    /// A name: variable, constant, process, location, type used as such.
    Name(String),
    /// `deadlock`
    Deadlock,
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator. Long chains of `&&` or `||` arrive balanced, in evaluation order.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value`, or `target op= value` with the operator.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++x`, `x--` and so on.
    Increment(IncrementOp, Box<Expr>),
    /// `condition ? yes : no`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `base[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `callee(arguments)`: a function, a builtin such as `abs`, or a process set as in `P(3)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `base.field`: struct field, or location or variable of a process, or `P.location`.
    Field(Box<Expr>, Name),
    /// `x'`
    Rate(Box<Expr>),
    /// `forall (i : T) body` and its like.
    Quantified(Quantifier, Box<Binding>, Box<Expr>),
    /// Comma list, only in the conditions and headers of statements; at least two.
    Comma(Vec<Expr>),
    /// `spawn T(arguments)` of dynamic templates.
    Spawn(Name, Vec<Expr>),
    /// `exit()` of dynamic templates.
    Exit,
    /// `numOf(T)` of dynamic templates.
    NumOf(Name),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `**`
    Power,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<?`
    Minimum,
    /// `>?`
    Maximum,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `&&`, `and`
    And,
    /// `||`, `or`
    Or,
    /// `xor`
    Xor,
    /// `imply`
    Imply,
}

/// The four forms of stepping a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncrementOp {
    /// `++x`
    PreIncrement,
    /// `x++`
    PostIncrement,
    /// `--x`
    PreDecrement,
    /// `x--`
    PostDecrement,
}

/// Quantifiers over a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
    /// `foreach`, of dynamic templates.
    Foreach,
}

/// A query with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What it asks.
    pub kind: QueryKind,
    /// The text without surrounding space and comments.
    pub text: String,
    /// The `<comment>` of the query in XML.
    pub comment: Option<String>,
    /// Where the text stands.
    pub span: Span,
}

/// The forms of queries.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// `E<> p`
    Reachable(Expr),
    /// `A[] p`
    Invariant(Expr),
    /// Any other known form, with a sentence that begins `not supported:`.
    Unsupported(String),
    /// No query at all, such as a heading among queries, with all that is wrong with it.
    Mistaken(Vec<Diagnostic>),
}
