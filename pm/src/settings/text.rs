//! Reading the text of a small configuration file, and TOML with places.

use std::path::Path;

use hermes_terms::Code;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::fault::{Fault, Place};
use crate::files;

/// The largest configuration file that is read.
const MAX_FILE: usize = 1 << 20;

/// The text of a file; `None` when there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, Fault> {
    let invalid = |message: String| Fault {
        code: Code::ConfigInvalid,
        place: Place::file(path),
        message,
    };
    let bytes = files::read(path, MAX_FILE).map_err(|fault| invalid(fault.message))?;
    let text = bytes
        .map(String::from_utf8)
        .transpose()
        .map_err(|_| invalid("is not UTF-8".into()))?;
    Ok(text.map(|text| text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned)))
}

/// A TOML document that tells the places of its values.
pub(super) struct Toml<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
    pub(super) table: DeTable<'t>,
}

impl<'t> Toml<'t> {
    pub(super) fn parse(path: &'t Path, text: &'t str) -> Result<Self, Fault> {
        match DeTable::parse(text) {
            Ok(table) => Ok(Self {
                path,
                text,
                table: table.into_inner(),
            }),
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                let message = error
                    .message()
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .take(200)
                    .collect();
                Err(Fault {
                    code: Code::ConfigInvalid,
                    place: Place::at_offset(path, text, offset),
                    message,
                })
            }
        }
    }

    /// A fault at a place of the document.
    pub(super) fn fault<T>(&self, at: &Spanned<T>, message: String) -> Fault {
        let place = Place::at_offset(self.path, self.text, at.span().start);
        Fault {
            code: Code::ConfigInvalid,
            place,
            message,
        }
    }

    /// A fault because of a value's type.
    pub(super) fn wrong_type(&self, key: &str, at: &Spanned<DeValue<'_>>, wanted: &str) -> Fault {
        let kind = at.get_ref().type_str();
        self.fault(
            at,
            format!(
                "`{}` must be {wanted}, this is of type {kind}",
                key.escape_debug()
            ),
        )
    }
}
