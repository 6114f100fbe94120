//! Environment markers (PEP 508): a strict, iterative parser with limits, and an evaluator for one
//! concrete environment. A marker is kept as a postfix program, so nothing recurses over its size.

mod environment;
mod evaluate;
mod parse;
mod reduce;

use std::collections::BTreeSet;
use std::fmt;

pub use environment::{MarkerEnvironment, MarkerVariable};
pub use reduce::Reduced;

use crate::{ExtraName, VersionRange};

/// Why a text is not a marker, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MarkerError {
    /// The byte offset in the text.
    pub offset: usize,
    /// What is wrong, for a reader.
    pub message: String,
    /// Whether a limit was passed rather than the syntax broken.
    pub is_limit: bool,
}

/// A parsed marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    program: Vec<Instruction>,
}

/// One instruction of the postfix program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Instruction {
    Test(Box<Test>),
    And,
    Or,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Test {
    left: Operand,
    operator: Operator,
    right: Operand,
    /// The versions that the right-hand literal stands for, where it is a specifier.
    range: Option<VersionRange>,
}

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Operand {
    Variable(MarkerVariable),
    Extra,
    Literal(String),
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Arbitrary,
    Equal,
    NotEqual,
    Compatible,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    In,
    NotIn,
}

impl Operator {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Arbitrary => "===",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Compatible => "~=",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

impl Marker {
    /// The longest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 4096;

    /// The most comparisons that one marker may have.
    pub const MAX_TESTS: usize = 64;

    /// The deepest nesting of parentheses.
    pub const MAX_DEPTH: usize = 64;

    /// Reads a marker.
    pub fn parse(text: &str) -> Result<Self, MarkerError> {
        parse::parse(text)
    }

    /// Whether the marker holds in an environment with these extras asked for. `extra == "x"` holds
    /// when `x` is among them (PEP 685 for the spelling).
    pub fn evaluate(&self, environment: &MarkerEnvironment, extras: &[ExtraName]) -> bool {
        evaluate::evaluate(&self.program, environment, extras)
    }

    /// What is left when exactly these extras are asked for.
    pub fn reduce(&self, extras: &[ExtraName]) -> Reduced {
        reduce::reduce(self, extras)
    }

    /// The variables that the marker looks at (`extra` aside).
    pub fn variables(&self) -> BTreeSet<MarkerVariable> {
        let operands = self.tests().flat_map(|test| [&test.left, &test.right]);
        let variable = |operand: &Operand| match operand {
            Operand::Variable(variable) => Some(*variable),
            Operand::Extra | Operand::Literal(_) => None,
        };
        operands.filter_map(variable).collect()
    }

    /// The extras that the marker names.
    pub fn extras(&self) -> BTreeSet<ExtraName> {
        let literal = |test: &Test| match (&test.left, &test.right) {
            (Operand::Extra, Operand::Literal(name)) | (Operand::Literal(name), Operand::Extra) => {
                ExtraName::parse(name).ok()
            }
            _ => None,
        };
        self.tests().filter_map(literal).collect()
    }

    fn tests(&self) -> impl Iterator<Item = &Test> {
        self.program.iter().filter_map(|instruction| match instruction {
            Instruction::Test(test) => Some(&**test),
            Instruction::And | Instruction::Or => None,
        })
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(variable) => f.write_str(variable.name()),
            Self::Extra => f.write_str("extra"),
            // A literal holds one kind of quotes at most: the language has no escapes.
            Self::Literal(text) if text.contains('"') => write!(f, "'{text}'"),
            Self::Literal(text) => write!(f, "\"{text}\""),
        }
    }
}

/// How strongly the parts of a written marker hold together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Test,
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack: Vec<(String, Binding)> = Vec::new();
        for instruction in &self.program {
            let (word, binding) = match instruction {
                Instruction::Test(test) => {
                    let shown = format!("{} {} {}", test.left, test.operator.as_str(), test.right);
                    stack.push((shown, Binding::Test));
                    continue;
                }
                Instruction::And => ("and", Binding::And),
                Instruction::Or => ("or", Binding::Or),
            };
            let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                return Err(fmt::Error);
            };
            // Chains are read from the left, so only a right side as weak as this one needs parentheses.
            let left = enclose(left, |own| own < binding);
            let right = enclose(right, |own| own <= binding);
            stack.push((format!("{left} {word} {right}"), binding));
        }
        stack
            .pop()
            .map_or(Err(fmt::Error), |(text, _)| f.write_str(&text))
    }
}

fn enclose((text, binding): (String, Binding), weaker: impl Fn(Binding) -> bool) -> String {
    if weaker(binding) {
        format!("({text})")
    } else {
        text
    }
}
