//! The parser: tokens, then the shunting-yard method (Dijkstra 1961) with a stack of its own.

use super::{Instruction, Marker, MarkerError, MarkerVariable, Operand, Operator, Test};
use crate::Specifier;

/// What may stand on the stack of operators.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Open(usize),
    And,
    Or,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    program: Vec<Instruction>,
    pending: Vec<Pending>,
    depth: usize,
    tests: usize,
}

pub(super) fn parse(text: &str) -> Result<Marker, MarkerError> {
    if text.len() > Marker::MAX_LENGTH {
        return Err(MarkerError {
            is_limit: true,
            ..fault_at(Marker::MAX_LENGTH, "the marker is longer than 4096 bytes")
        });
    }
    let mut parser = Parser {
        text,
        at: 0,
        program: Vec::new(),
        pending: Vec::new(),
        depth: 0,
        tests: 0,
    };
    parser.expression()?;
    Ok(Marker {
        program: parser.program,
    })
}

impl<'t> Parser<'t> {
    fn expression(&mut self) -> Result<(), MarkerError> {
        loop {
            self.operand_of_logic()?;
            while self.eat(")") {
                self.close()?;
            }
            self.skip_space();
            if self.rest().is_empty() {
                break;
            }
            match self.word() {
                "and" => self.join(Pending::And, 3),
                "or" => self.join(Pending::Or, 2),
                _ => return Err(self.fault("`and`, `or` or the end was expected")),
            }
        }
        self.finish()
    }

    /// Opening parentheses, then one comparison.
    fn operand_of_logic(&mut self) -> Result<(), MarkerError> {
        while self.eat("(") {
            self.depth += 1;
            if self.depth > Marker::MAX_DEPTH {
                return Err(self.limit("parentheses are nested too deeply"));
            }
            self.pending.push(Pending::Open(self.at - 1));
        }
        self.tests += 1;
        if self.tests > Marker::MAX_TESTS {
            return Err(self.limit("the marker has too many comparisons"));
        }
        let test = self.test()?;
        self.program.push(Instruction::Test(Box::new(test)));
        Ok(())
    }

    fn close(&mut self) -> Result<(), MarkerError> {
        while let Some(top) = self.pending.pop() {
            match top {
                Pending::Open(_) => {
                    self.depth -= 1;
                    return Ok(());
                }
                Pending::And => self.program.push(Instruction::And),
                Pending::Or => self.program.push(Instruction::Or),
            }
        }
        Err(fault_at(self.at - 1, "this parenthesis was never opened"))
    }

    /// Puts `and` or `or` on the stack after what binds at least as strongly.
    fn join(&mut self, operator: Pending, length: usize) {
        self.at += length;
        while let Some(top) = self.pending.last().copied() {
            let first = match top {
                Pending::And => Instruction::And,
                Pending::Or if operator == Pending::Or => Instruction::Or,
                Pending::Open(_) | Pending::Or => break,
            };
            self.pending.pop();
            self.program.push(first);
        }
        self.pending.push(operator);
    }

    fn finish(&mut self) -> Result<(), MarkerError> {
        while let Some(top) = self.pending.pop() {
            match top {
                Pending::Open(at) => return Err(fault_at(at, "this parenthesis is never closed")),
                Pending::And => self.program.push(Instruction::And),
                Pending::Or => self.program.push(Instruction::Or),
            }
        }
        Ok(())
    }

    fn test(&mut self) -> Result<Test, MarkerError> {
        self.skip_space();
        let start = self.at;
        let left = self.operand()?;
        let operator = self.operator()?;
        let right = self.operand()?;
        let (left, right) = match (left, right) {
            (Operand::Extra, Operand::Literal(name)) => (Operand::Extra, Operand::Literal(normal(&name))),
            (Operand::Literal(name), Operand::Extra) => (Operand::Literal(normal(&name)), Operand::Extra),
            sides => sides,
        };
        let range = match (&left, &right) {
            (Operand::Variable(variable), Operand::Literal(text)) if variable.holds_version() => {
                Specifier::parse(&format!("{}{text}", operator.as_str()))
                    .ok()
                    .map(|specifier| specifier.range())
            }
            _ => None,
        };
        let test = Test {
            left,
            operator,
            right,
            range,
        };
        match undefined(&test) {
            Some(message) => Err(fault_at(start, message)),
            None => Ok(test),
        }
    }

    fn operand(&mut self) -> Result<Operand, MarkerError> {
        self.skip_space();
        if let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '"' | '\'')) {
            return self.literal(quote);
        }
        let word = self.word();
        let operand = match word {
            "" => return Err(self.fault("a variable or a quoted text was expected")),
            "extra" => Operand::Extra,
            name => match MarkerVariable::parse(name) {
                Some(variable) => Operand::Variable(variable),
                None => return Err(self.fault(&format!("`{name}` is not a marker variable"))),
            },
        };
        self.at += word.len();
        Ok(operand)
    }

    fn literal(&mut self, quote: char) -> Result<Operand, MarkerError> {
        let inner = self.rest().get(1..).unwrap_or_default();
        let Some(end) = inner.find(quote) else {
            return Err(self.fault("the quoted text has no end"));
        };
        let text = inner.get(..end).unwrap_or_default();
        // The language has no escapes (PEP 508), and what a backslash stands for differs by reader.
        if text.chars().any(|c| c == '\\' || (c.is_control() && c != '\t')) {
            return Err(self.fault("a quoted text holds no backslash and no control character"));
        }
        self.at += end + 2;
        Ok(Operand::Literal(text.to_owned()))
    }

    fn operator(&mut self) -> Result<Operator, MarkerError> {
        const SIGNS: [Operator; 8] = [
            Operator::Arbitrary,
            Operator::Equal,
            Operator::NotEqual,
            Operator::Compatible,
            Operator::LessEqual,
            Operator::GreaterEqual,
            Operator::Less,
            Operator::Greater,
        ];
        self.skip_space();
        if let Some(sign) = SIGNS
            .into_iter()
            .find(|sign| self.rest().starts_with(sign.as_str()))
        {
            self.at += sign.as_str().len();
            return Ok(sign);
        }
        match self.word() {
            "in" => {
                self.at += 2;
                Ok(Operator::In)
            }
            "not" => {
                self.at += 3;
                self.skip_space();
                if self.word() != "in" {
                    return Err(self.fault("`in` was expected after `not`"));
                }
                self.at += 2;
                Ok(Operator::NotIn)
            }
            _ => Err(self.fault("a comparison was expected")),
        }
    }

    /// The letters, digits, `_` and `.` that come next; nothing is consumed.
    fn word(&self) -> &'t str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))
            .unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn fault(&self, message: &str) -> MarkerError {
        fault_at(self.at, message)
    }

    fn limit(&self, message: &str) -> MarkerError {
        MarkerError {
            is_limit: true,
            ..self.fault(message)
        }
    }
}

fn fault_at(offset: usize, message: &str) -> MarkerError {
    MarkerError {
        offset,
        message: message.to_owned(),
        is_limit: false,
    }
}

/// Why a comparison has no meaning, if so: refused here, since a value of either kind would let a
/// requirement appear or vanish without a word.
fn undefined(test: &Test) -> Option<&'static str> {
    let ordered = match (&test.left, &test.right) {
        (Operand::Literal(_), Operand::Literal(_)) => return Some("neither side is a variable"),
        (Operand::Extra | Operand::Variable(_), Operand::Extra | Operand::Variable(_)) => {
            return Some("one side must be a quoted text");
        }
        (Operand::Variable(_), Operand::Literal(_)) => test.range.is_some(),
        (Operand::Literal(_), Operand::Variable(variable)) => variable.holds_version(),
        _ => false,
    };
    let versions_only = matches!(test.operator, Operator::Compatible | Operator::Arbitrary);
    (versions_only && !ordered).then_some("`~=` and `===` compare versions only")
}

/// The folded form of an extra's name (PEP 685), or of a text that lists several.
fn normal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        match (matches!(c, '-' | '_' | '.'), out.ends_with('-')) {
            (true, true) => {}
            (true, false) => out.push('-'),
            (false, _) => out.push(c),
        }
    }
    out
}
