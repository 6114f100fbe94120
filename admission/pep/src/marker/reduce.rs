//! What is left of a marker once the extras are known.

use super::{Instruction, Marker, MarkerEnvironment, Operand, evaluate};
use crate::ExtraName;

/// A marker with its extras decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reduced {
    /// It holds everywhere.
    Always,
    /// It holds nowhere.
    Never,
    /// It depends on the environment.
    Marker(Marker),
}

enum Part {
    Known(bool),
    Open(Vec<Instruction>),
}

pub(super) fn reduce(marker: &Marker, extras: &[ExtraName]) -> Reduced {
    let nowhere = MarkerEnvironment::new([]);
    let mut stack: Vec<Part> = Vec::new();
    for instruction in &marker.program {
        let part = match instruction {
            Instruction::Test(test) if test.left == Operand::Extra || test.right == Operand::Extra => {
                Part::Known(evaluate::evaluate(
                    std::slice::from_ref(instruction),
                    &nowhere,
                    extras,
                ))
            }
            Instruction::Test(_) => Part::Open(vec![instruction.clone()]),
            Instruction::And | Instruction::Or => match (stack.pop(), stack.pop()) {
                (Some(right), Some(left)) => join(left, right, instruction),
                _ => Part::Known(false),
            },
        };
        stack.push(part);
    }
    match stack.pop() {
        Some(Part::Open(program)) => Reduced::Marker(Marker { program }),
        Some(Part::Known(false)) => Reduced::Never,
        Some(Part::Known(true)) | None => Reduced::Always,
    }
}

fn join(left: Part, right: Part, joint: &Instruction) -> Part {
    // `true` decides an `or`, `false` an `and`; the other value leaves the other side.
    let decides = *joint == Instruction::Or;
    match (left, right) {
        (Part::Known(value), other) | (other, Part::Known(value)) => {
            if value == decides {
                Part::Known(value)
            } else {
                other
            }
        }
        (Part::Open(mut program), Part::Open(right)) => {
            program.extend(right);
            program.push(joint.clone());
            Part::Open(program)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extras_are_decided_and_the_rest_stays() {
        let dev = [ExtraName::parse("dev").unwrap()];
        let left = |text| match reduce(&Marker::parse(text).unwrap(), &dev) {
            Reduced::Always => "always".to_owned(),
            Reduced::Never => "never".to_owned(),
            Reduced::Marker(marker) => marker.to_string(),
        };
        assert_eq!(left("extra == 'dev'"), "always");
        assert_eq!(left("extra == 'doc'"), "never");
        assert_eq!(left("os_name == 'nt' and extra == 'dev'"), "os_name == \"nt\"");
        assert_eq!(left("os_name == 'nt' and extra == 'doc'"), "never");
        assert_eq!(left("os_name == 'nt' or extra == 'dev'"), "always");
        assert_eq!(
            left("(os_name == 'nt' or os_name == 'x') and extra == 'dev'"),
            "os_name == \"nt\" or os_name == \"x\""
        );
    }
}
