//! A sign of life on a terminal while something takes long.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::style::clean;

/// A line on standard error that goes away when it is dropped.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn start(shown: bool, what: &'static str) -> Self {
        if !shown {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(Some(bar))
    }

    /// Says what is being done now.
    pub fn say(&self, what: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(clean(what).into_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
