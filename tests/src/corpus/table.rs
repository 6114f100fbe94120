//! One line of the table.

use std::fmt;
use std::time::Duration;

use super::program::Answer;
use super::recorded::Plugin;

/// A plugin with both answers.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    alone: (String, Duration),
    after: (String, Duration),
    /// What is not as recorded.
    pub(super) wrong: Vec<String>,
}

impl Row {
    pub(super) fn new(plugin: &Plugin, alone: &Answer, after: &Answer, wrong: Vec<String>) -> Self {
        Self {
            name: plugin.name.clone(),
            alone: cell(alone),
            after: cell(after),
            wrong,
        }
    }
}

fn cell(answer: &Answer) -> (String, Duration) {
    let code = if answer.code.is_empty() {
        String::new()
    } else {
        format!(" ({})", answer.code)
    };
    (format!("{}{code}", answer.verdict), answer.took)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.wrong.is_empty() { "ok   " } else { "WRONG" };
        let (alone, after) = (&self.alone, &self.after);
        write!(
            f,
            "{mark} {:32} alone {:26} {:>6} ms  in sequence {:30} {:>6} ms",
            self.name,
            alone.0,
            alone.1.as_millis(),
            after.0,
            after.1.as_millis()
        )
    }
}
