//! The evaluator, with the semantics of PyPA's `packaging` 26: values are compared as versions where
//! the variable holds versions and the literal is a specifier, otherwise as texts. Texts have no
//! order: `<` and `>` never hold between them, `<=` and `>=` mean equality. Comparisons that have no
//! meaning were refused when the marker was read; what is left is `~=` and `===` against a variable whose
//! value is no version, which do not hold.

use super::{Instruction, MarkerEnvironment, Operand, Operator, Test};
use crate::{ExtraName, Specifier, Version};

pub(super) fn evaluate(
    program: &[Instruction],
    environment: &MarkerEnvironment,
    extras: &[ExtraName],
) -> bool {
    let mut stack: Vec<bool> = Vec::new();
    for instruction in program {
        let value = match instruction {
            Instruction::Test(test) => holds(test, environment, extras),
            Instruction::And => {
                let (right, left) = (stack.pop(), stack.pop());
                left == Some(true) && right == Some(true)
            }
            Instruction::Or => {
                let (right, left) = (stack.pop(), stack.pop());
                left == Some(true) || right == Some(true)
            }
        };
        stack.push(value);
    }
    stack.pop().unwrap_or(true)
}

fn holds(test: &Test, environment: &MarkerEnvironment, extras: &[ExtraName]) -> bool {
    let value = |operand: &Operand| -> String {
        match operand {
            Operand::Variable(variable) => environment.get(*variable).to_owned(),
            Operand::Literal(literal) => literal.clone(),
            Operand::Extra => String::new(),
        }
    };
    match (&test.left, &test.right) {
        (Operand::Extra, _) | (_, Operand::Extra) => extra_holds(test, extras),
        (Operand::Variable(variable), right) if variable.holds_version() => {
            version_holds(test, environment.get(*variable), &value(right))
        }
        (left, Operand::Variable(variable)) if variable.holds_version() => {
            version_holds(test, &value(left), environment.get(*variable))
        }
        (left, right) => text_holds(test.operator, &value(left), &value(right)),
    }
}

/// Compares with every extra asked for: one that fits is enough, and where something is denied, none
/// may. No extra is the empty text.
fn extra_holds(test: &Test, extras: &[ExtraName]) -> bool {
    let asked: Vec<&str> = if extras.is_empty() {
        vec![""]
    } else {
        extras.iter().map(ExtraName::as_str).collect()
    };
    let one = |extra: &&str| match (&test.left, &test.right) {
        (Operand::Literal(name), _) => text_holds(test.operator, name, extra),
        (_, Operand::Literal(name)) => text_holds(test.operator, extra, name),
        _ => false,
    };
    match test.operator {
        Operator::NotEqual | Operator::NotIn => asked.iter().all(one),
        _ => asked.iter().any(one),
    }
}

fn version_holds(test: &Test, left: &str, right: &str) -> bool {
    if test.operator == Operator::Arbitrary {
        return left.trim().eq_ignore_ascii_case(right.trim());
    }
    let range = match &test.range {
        Some(range) => Some(range.clone()),
        None => Specifier::parse(&format!("{}{right}", test.operator.as_str()))
            .ok()
            .map(|s| s.range()),
    };
    match (range, Version::parse(left)) {
        (Some(range), Ok(version)) => range.contains(&version),
        (Some(_), Err(_)) => false,
        (None, _) => text_holds(test.operator, left, right),
    }
}

fn text_holds(operator: Operator, left: &str, right: &str) -> bool {
    match operator {
        Operator::Equal | Operator::LessEqual | Operator::GreaterEqual => left == right,
        Operator::NotEqual => left != right,
        Operator::In => right.contains(left),
        Operator::NotIn => !right.contains(left),
        Operator::Less | Operator::Greater | Operator::Arbitrary | Operator::Compatible => false,
    }
}
