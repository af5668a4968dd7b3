//! The syntax tree of a Promela model, after preprocessing and with inline calls opened.
//!
//! Nothing is resolved or typed here. Start reading at [`Model`]. Every node carries the [`Span`]
//! of its text in the user's own files: text that came out of a macro has the span of the macro's
//! use, text of an inline's body that of the body, with the call kept in [`InlineCall`]; only a
//! [`Name`] given to an inline as argument stands at the call. The parser bounds the height of
//! every expression and statement, so plain recursion cannot exhaust the stack.

pub use source::{Name, Span};

/// A whole model: its units in their written order, on which process numbers depend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Everything at top level.
    pub units: Vec<Unit>,
}

/// Anything that may stand at top level.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// `mtype = { a, b }`
    Mtype(Mtype),
    /// `typedef T { ... }`
    Typedef(Typedef),
    /// Global variables and channels.
    Variables(Variables),
    /// `inline f(a, b) { ... }`; the calls are opened where they stand.
    Inline(InlineDefinition),
    /// `active [2] proctype P(byte x) { ... }`
    Proctype(Box<Proctype>),
    /// `init { ... }`
    Init(Init),
    /// `never name { ... }`
    Never(Never),
    /// `trace { ... }` or `notrace { ... }`
    Trace(Trace),
    /// `ltl name { ... }`
    Ltl(Ltl),
}

impl Unit {
    /// The text of the whole unit.
    pub fn span(&self) -> Span {
        match self {
            Unit::Mtype(it) => it.span,
            Unit::Typedef(it) => it.span,
            Unit::Variables(it) => it.span,
            Unit::Inline(it) => it.span,
            Unit::Proctype(it) => it.span,
            Unit::Init(it) => it.span,
            Unit::Never(it) => it.span,
            Unit::Trace(it) => it.span,
            Unit::Ltl(it) => it.span,
        }
    }
}

/// Symbolic constants; several declarations of one subtype add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Mtype {
    /// The name after `mtype:`.
    pub subtype: Option<Name>,
    /// The constants in their written order.
    pub names: Vec<Name>,
    /// The whole declaration.
    pub span: Span,
}

/// A struct type.
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// The declared name.
    pub name: Name,
    /// The fields; their initialisers are kept too.
    pub fields: Vec<Variables>,
    /// The whole declaration.
    pub span: Span,
}

/// Variables that share a written type.
#[derive(Clone, Debug, PartialEq)]
pub struct Variables {
    /// The word before the type.
    pub visibility: Option<Visibility>,
    /// The type before the names.
    pub ty: Type,
    /// The declared names, at least one.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// The word before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: traced in simulations.
    Show,
    /// `local`: used by one process only.
    Local,
}

/// A type as written, without the array size: that stands at the declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The type itself.
    pub kind: TypeKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`, whose width stands at the declared name.
    Unsigned,
    /// `chan`
    Chan,
    /// `mtype` or `mtype:name`
    Mtype(Option<Name>),
    /// The name of a `typedef`.
    Named(String),
}

/// A declared name with its width, array size and initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The declared name.
    pub name: Name,
    /// The width after `:`, meant for `unsigned`.
    pub bits: Option<u32>,
    /// The array size: a constant expression, or the name of an initialised scalar.
    pub size: Option<Expr>,
    /// The value after `=`.
    pub initialiser: Option<Initialiser>,
    /// From the name to the end of the initialiser.
    pub span: Span,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Initialiser {
    /// A single expression.
    Value(Expr),
    /// `{ 1, 2, 3 }`: constants for the elements of an array.
    List(Vec<Expr>),
    /// `[2] of { byte, chan }`
    Channel(ChannelInitialiser),
}

/// A channel to be created; for an array of channels, one per element.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelInitialiser {
    /// How many messages fit: a constant expression, 0 for rendezvous.
    pub capacity: Expr,
    /// The types of the message fields, at least one; never `unsigned`.
    pub fields: Vec<Type>,
    /// From `[` to `}`.
    pub span: Span,
}

/// An inline's head and place.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineDefinition {
    /// The declared name.
    pub name: Name,
    /// The names that calls replace.
    pub parameters: Vec<Name>,
    /// The whole definition.
    pub span: Span,
}

/// A type of process.
#[derive(Clone, Debug, PartialEq)]
pub struct Proctype {
    /// How many run from the start.
    pub active: Active,
    /// Whether it is a `D_proctype`.
    pub deterministic: bool,
    /// The declared name.
    pub name: Name,
    /// The parameters in order, without initialisers.
    pub parameters: Vec<Variables>,
    /// The number after `priority`.
    pub priority: Option<Expr>,
    /// The condition after `provided`.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Block,
    /// The whole proctype.
    pub span: Span,
}

/// How many processes of a proctype run from the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Active {
    /// No `active`: none.
    No,
    /// `active`: one.
    One,
    /// `active [n]`: a constant expression, or the name of an initialised scalar.
    Many(Expr),
}

/// The initial process.
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// The number after `priority`.
    pub priority: Option<Expr>,
    /// What it does.
    pub body: Block,
    /// The whole unit.
    pub span: Span,
}

/// A never claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Never {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its automaton.
    pub body: Block,
    /// The whole unit.
    pub span: Span,
}

/// An event automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Whether it is a `notrace`.
    pub forbidden: bool,
    /// Its automaton, of sends and receives.
    pub body: Block,
    /// The whole unit.
    pub span: Span,
}

/// A formula that every execution must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula as written, not negated.
    pub formula: Formula,
    /// The whole unit.
    pub span: Span,
}

/// A formula of linear temporal logic and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of formulas. A part without temporal operators, `->` and `<->` is one [`Self::Atom`].
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// A condition on one state.
    Atom(Expr),
    /// `!`
    Not(Box<Formula>),
    /// `[]`, `<>`, `X`
    Unary(TemporalUnary, Box<Formula>),
    /// `&&`, `||`, `->`, `<->`, `U`, `W`, `V`
    Binary(TemporalBinary, Box<Formula>, Box<Formula>),
}

/// Prefix operators of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalUnary {
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
    /// `X`, `next`
    Next,
}

/// Infix operators of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalBinary {
    /// `&&`, `/\`
    And,
    /// `||`, `\/`
    Or,
    /// `->`, `implies`
    Implies,
    /// `<->`, `equivalent`
    Equivalent,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `release`
    Release,
}

/// Statements in braces, or after one `::`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Declarations and statements in order, at least one unless there were errors.
    pub statements: Vec<Statement>,
    /// With both braces, or with the `::`.
    pub span: Span,
}

/// A statement with its labels and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The labels before it; a label before nothing labels a `skip`.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// The statement without its labels.
    pub span: Span,
    /// Its words as they are read, with what macros stand for; empty for what is only made of other
    /// statements.
    pub text: String,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Local variables; no labels here.
    Variables(Variables),
    /// `xr q` or `xs q`: no labels here.
    Exclusive(Exclusive, Vec<Reference>),
    /// Executable iff not 0. `skip` and calls of `run` are of this kind.
    Expr(Expr),
    /// `else`
    Else,
    /// `target = value`
    Assign(Reference, Expr),
    /// `target++`
    Increment(Reference),
    /// `target--`
    Decrement(Reference),
    /// `q!a,b` or `q!!a,b`
    Send(Send),
    /// `q?x`, `q??x`, `q?<x>` or `q??<x>`
    Receive(Receive),
    /// `if :: ... fi`: the options in order, at least one.
    If(Vec<Block>),
    /// `do :: ... od`: the options in order, at least one.
    Do(Vec<Block>),
    /// `for (...) { ... }`
    For {
        /// The loop variable, or the message struct for a channel.
        variable: Reference,
        /// What it runs over.
        range: ForRange,
        /// The loop body.
        body: Block,
    },
    /// `select (variable : low .. high)`
    Select {
        /// What is assigned.
        variable: Reference,
        /// The smallest choice.
        low: Expr,
        /// The largest choice.
        high: Expr,
        /// Whether Spin's scanner takes it apart before anything is parsed: outside inlines, the
        /// bounds written as numbers, no `_` in the name, and all that is in parentheses on one
        /// line.
        scanned: bool,
    },
    /// `break`
    Break,
    /// `goto label`
    Goto(Name),
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `{ ... }`
    Block(Block),
    /// `body unless escape`
    Unless(Box<Statement>, Box<Statement>),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("format", ...)`: the text between the quotes as written, and the values.
    Printf(String, Vec<Expr>),
    /// `printm(x)`
    Printm(Expr),
    /// `set_priority(process, priority)`
    SetPriority(Expr, Expr),
    /// `f(a, b)` or `x = f(a, b)`, opened.
    Inline(InlineCall),
    /// `return value` within an inline called as `target = f(...)`: an assignment, not a jump.
    Return {
        /// What the call assigns to.
        target: Reference,
        /// What it assigns.
        value: Expr,
    },
}

/// The two claims about who uses a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exclusive {
    /// `xr`: only this process receives.
    Receive,
    /// `xs`: only this process sends.
    Send,
}

/// What a `for` runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum ForRange {
    /// `: low .. high`
    Between(Expr, Expr),
    /// `in name`: the indices of an array, or the messages of a channel.
    In(Reference),
}

/// A send statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// The channel.
    pub channel: Reference,
    /// Whether it is `!!`.
    pub sorted: bool,
    /// The values; `q!a(b,c)` is `q!a,b,c`.
    pub arguments: Vec<Expr>,
}

/// A receive statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// The channel.
    pub channel: Reference,
    /// Whether it is `??`: the first message that matches.
    pub random: bool,
    /// Whether it has angle brackets: the message stays in the channel.
    pub keep: bool,
    /// What the fields must match or are assigned to; `q?a(b,c)` is `q?a,b,c`.
    pub patterns: Vec<Pattern>,
}

/// One field of a receive or poll.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A variable to assign, `_`, or the name of an `mtype` constant, which must match.
    Reference(Reference),
    /// `eval(e)`: must match.
    Eval(Expr),
    /// A constant that must match.
    Constant(Expr),
}

/// A call of an inline with its body, in which arguments have replaced parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineCall {
    /// The called inline.
    pub name: Name,
    /// What `x = f(...)` assigns to, by the [`StatementKind::Return`]s of the body.
    pub target: Option<Reference>,
    /// The whole call.
    pub call: Span,
    /// The body, whose spans lie in the definition. It is a scope of its own.
    pub body: Block,
}

/// A variable, array element or field: `a[i].b.c[j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The names between the dots, at least one.
    pub parts: Vec<Part>,
    /// The whole reference.
    pub span: Span,
}

/// One name of a reference with its index.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The variable or field.
    pub name: Name,
    /// What stands in the brackets.
    pub index: Option<Expr>,
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
    /// A number or character.
    Int(i32),
    /// `true` or `false`
    Bool(bool),
    /// `skip`, which is 1 wherever it stands.
    Skip,
    /// A variable or `mtype` constant, also `_pid`, `_nr_pr`, `_last` and `_priority`.
    Reference(Reference),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator. Long chains of `&&` or `||` arrive balanced, in evaluation order.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> yes : no)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(a, b) priority 2`
    Run(Run),
    /// `len(q)`
    Len(Reference),
    /// `full(q)` and its like.
    Probe(Probe, Reference),
    /// `q?[a, x]` or `q??[a, x]`
    Poll(Poll),
    /// `enabled(process)`
    Enabled(Box<Expr>),
    /// `pc_value(process)`
    PcValue(Box<Expr>),
    /// `get_priority(process)`
    GetPriority(Box<Expr>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[i]@label`, `P@label`
    RemoteLabel {
        /// The proctype.
        proctype: Name,
        /// The process number.
        process: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[i]:x`, `P:x`, `P[i]:x[j]`
    RemoteVariable {
        /// The proctype.
        proctype: Name,
        /// The process number.
        process: Option<Box<Expr>>,
        /// The local variable; Spin allows no field after it.
        variable: Box<Part>,
    },
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    BitNot,
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
    /// `&&`; `and` in queries
    And,
    /// `||`; `or` in queries
    Or,
    /// `imply` in queries only
    Imply,
}

/// Questions about how many messages a channel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NotFull,
    /// `nempty`
    NotEmpty,
}

/// A question whether a receive could succeed.
#[derive(Clone, Debug, PartialEq)]
pub struct Poll {
    /// The channel.
    pub channel: Reference,
    /// Whether it is `??`.
    pub random: bool,
    /// What the fields must match; variables match anything.
    pub patterns: Vec<Pattern>,
}

/// The creation of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The proctype.
    pub proctype: Name,
    /// One value per parameter.
    pub arguments: Vec<Expr>,
    /// The number after `priority`.
    pub priority: Option<Box<Expr>>,
}

/// A query with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What it asks.
    pub kind: QueryKind,
    /// The text without surrounding space.
    pub text: String,
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
}
