//! Following the chain from end to end.
//!
//! Up to the position that the newest checkpoint names, receipts may be missing (pruning keeps some
//! and removes others); after it none may. A damaged receipt is reported once, and the one after it
//! is not blamed for it.

use std::collections::BTreeMap;

use hermes_terms::{Code, Digest};
use schemars::JsonSchema;
use serde::Serialize;

use super::error::{Corrupt, LedgerError};
use super::{Ledger, Tip, head};
use crate::{Checkpoint, Receipt};

/// What following the chain has found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Verification {
    /// How many intact receipts there are.
    pub intact: u64,
    /// What is wrong, in the order of the chain.
    pub faults: Vec<ChainFault>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Something wrong with the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChainFault {
    /// `receipt.corrupt` or `receipt.chain`.
    pub code: Code,
    /// The position, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The file, fit to be shown.
    pub file: String,
    /// What is wrong.
    pub message: String,
}

/// What the chain needs to know of a receipt.
struct Link {
    id: Digest,
    previous: Option<Digest>,
    file: String,
    checkpoint: Option<Checkpoint>,
}

/// The positions of a ledger, sorted into intact and damaged.
#[derive(Default)]
struct Chain {
    links: BTreeMap<u64, Vec<Link>>,
    damaged: BTreeMap<u64, Vec<Corrupt>>,
}

impl Ledger {
    /// Reads every receipt and follows the chain. Writes nothing.
    pub fn verify(&self) -> Result<Verification, LedgerError> {
        let listing = self.list()?;
        let mut chain = Chain::default();
        for name in &listing.entries {
            match self.read(name) {
                Ok(receipt) => chain.take(receipt, name.to_string()),
                Err(corrupt) => chain.damaged.entry(name.sequence()).or_default().push(corrupt),
            }
        }
        let intact = chain.links.values().map(Vec::len).sum::<usize>();
        let mut faults = chain.follow();
        faults.extend(chain.end(head::read(&self.folder())));
        faults.extend(listing.foreign.iter().map(|corrupt| damage(None, corrupt)));
        Ok(Verification {
            intact: u64::try_from(intact).unwrap_or(u64::MAX),
            faults,
        })
    }
}

impl Chain {
    fn take(&mut self, receipt: Receipt, file: String) {
        self.links.entry(receipt.sequence).or_default().push(Link {
            id: receipt.id,
            previous: receipt.previous,
            file,
            checkpoint: receipt.checkpoint,
        });
    }

    /// What pruning has removed, as the newest receipt that says so has it.
    fn checkpoint(&self) -> Option<&Checkpoint> {
        let mut newest = self.links.iter().rev();
        newest.find_map(|(sequence, links)| {
            let mut told = links.iter().filter_map(|link| link.checkpoint.as_ref());
            // Only what came before a receipt can have been removed when it was written.
            told.find(|checkpoint| checkpoint.sequence < *sequence)
        })
    }

    fn follow(&self) -> Vec<ChainFault> {
        let mut faults = BTreeMap::<u64, Vec<ChainFault>>::new();
        for (sequence, corrupt) in &self.damaged {
            let found = corrupt.iter().map(|corrupt| damage(Some(*sequence), corrupt));
            faults.entry(*sequence).or_default().extend(found);
        }
        let mut before: u64 = 0;
        for (sequence, links) in &self.links {
            let found = self.step(before, *sequence, links);
            faults.entry(*sequence).or_default().extend(found);
            before = *sequence;
        }
        faults.into_values().flatten().collect()
    }

    /// What is wrong with the receipts of one position, given the last intact position before it.
    fn step(&self, before: u64, sequence: u64, links: &[Link]) -> Vec<ChainFault> {
        let mut faults = Vec::new();
        let fault = |link: &Link, message: String| ChainFault {
            code: Code::ReceiptChain,
            sequence: Some(sequence),
            file: link.file.clone(),
            message,
        };
        for (at, link) in links.iter().enumerate() {
            if at > 0 {
                faults.push(fault(link, "another receipt has the same position".into()));
            } else if let Some(message) = self.gap(before, sequence) {
                faults.push(fault(link, message));
            }
            if !self.follows(sequence, link) {
                faults.push(fault(
                    link,
                    "it does not follow from the receipt before it".into(),
                ));
            }
        }
        faults
    }

    /// Positions between two intact ones that nothing accounts for.
    fn gap(&self, before: u64, sequence: u64) -> Option<String> {
        let pruned = self.checkpoint().map_or(0, |checkpoint| checkpoint.sequence);
        let first = before.max(pruned).saturating_add(1);
        if first >= sequence {
            return None;
        }
        let damaged = self.damaged.range(first..sequence).count();
        let missing = (sequence - first).saturating_sub(u64::try_from(damaged).unwrap_or(u64::MAX));
        let last = sequence - 1;
        match missing {
            0 => None,
            1 => Some(format!("a receipt between {first} and {last} is missing")),
            _ => Some(format!(
                "{missing} receipts between {first} and {last} are missing"
            )),
        }
    }

    /// Whether a receipt names the one before it, as far as that one is known.
    fn follows(&self, sequence: u64, link: &Link) -> bool {
        let Some(previous) = &link.previous else {
            return sequence == 1;
        };
        let before = sequence.saturating_sub(1);
        if let Some(links) = self.links.get(&before) {
            return links.iter().any(|link| link.id == *previous);
        }
        match self.checkpoint() {
            Some(checkpoint) if checkpoint.sequence == before => checkpoint.id == *previous,
            _ => before > 0,
        }
    }

    /// Whether `HEAD` agrees with the end of the chain; it may be behind it.
    fn end(&self, head: Result<Option<Tip>, super::Flaw>) -> Option<ChainFault> {
        let last = self.links.keys().next_back().copied();
        let fault = |code, message: String| ChainFault {
            code,
            sequence: None,
            file: head::HEAD.to_owned(),
            message,
        };
        match (head, last) {
            (Err(flaw), _) => Some(fault(Code::ReceiptCorrupt, flaw.to_string())),
            (Ok(None), None) => None,
            (Ok(None), Some(_)) => Some(fault(Code::ReceiptChain, "it is missing".into())),
            (Ok(Some(tip)), last) => match self.links.get(&tip.sequence) {
                Some(links) if links.iter().any(|link| link.id == tip.id) => None,
                Some(_) => Some(fault(
                    Code::ReceiptChain,
                    "it names another receipt than the one there".into(),
                )),
                None if last.is_none_or(|last| last < tip.sequence) => {
                    let text = format!(
                        "the newest receipts, up to {}, are missing or damaged",
                        tip.sequence
                    );
                    Some(fault(Code::ReceiptChain, text))
                }
                None => None,
            },
        }
    }
}

fn damage(sequence: Option<u64>, corrupt: &Corrupt) -> ChainFault {
    ChainFault {
        code: corrupt.code(),
        sequence,
        file: corrupt.file.clone(),
        message: corrupt.flaw.to_string(),
    }
}
