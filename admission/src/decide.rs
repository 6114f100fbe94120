//! The verdict on a union, with everything that a receipt tells of it (contract C12, C14).

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_pep::PackageName;
use hermes_terms::{Code, Verdict};

use crate::effort::Effort;
use crate::explain::culprits::{Analysis, Culprits, Roots, participants};
use crate::explain::{Fact, Narrator, Proof};
use crate::facts::Facts;
use crate::ground::{Ground, ground, obstacles};
use crate::index::Index;
use crate::node::Node;
use crate::problem::Problem;
use crate::solve::{Refutation, Resolution, Solution, Stop, solve};

/// What was decided about a problem.
#[derive(Debug, Clone)]
pub enum Judgement {
    /// It fits.
    Admitted(Resolution),
    /// It does not fit, or is not allowed.
    Refused(Box<Refusal>),
    /// Nobody knows.
    Undecided(Stop),
}

/// Why a union is refused.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// `unsatisfiable`, or `blocked` when a policy alone stands in the way.
    pub verdict: Verdict,
    /// The reason.
    pub code: Code,
    /// The reason in one sentence.
    pub summary: String,
    /// The proof.
    pub proof: Proof,
    /// The plugins that take part, in the order of the union.
    pub conflict: Vec<String>,
    /// Whether core takes part.
    pub core_involved: bool,
    /// The smallest sets of plugins that would have to go.
    pub removals: Vec<Vec<String>>,
    /// Packages that a policy holds back: what to allow.
    pub held_back: Vec<PackageName>,
    /// What the decision rests on.
    pub facts: Facts,
    /// What the search for an answer cost, the analysis of the refusal aside.
    pub effort: Effort,
}

/// Decides a problem. `candidate` is the position of the root that asks to become a member.
pub fn decide(problem: &Problem, candidate: Option<usize>, index: &dyn Index) -> Judgement {
    match solve(problem, index) {
        Solution::Resolved(resolution) => Judgement::Admitted(resolution),
        Solution::Undecided(stop) => Judgement::Undecided(stop),
        Solution::Unsatisfiable(refutation) => {
            let refusal = refuse(problem, candidate, index, &refutation);
            Judgement::Refused(Box::new(Refusal {
                effort: refutation.effort,
                ..refusal
            }))
        }
    }
}

fn refuse(
    problem: &Problem,
    candidate: Option<usize>,
    index: &dyn Index,
    refutation: &Refutation,
) -> Refusal {
    match ground(problem, index, refutation) {
        Ground::Policy(code, held_back) => {
            let roots = participants(problem, refutation);
            describe(
                problem,
                &roots,
                refutation,
                Described {
                    code,
                    verdict: Verdict::Blocked,
                    held_back,
                    removals: Vec::new(),
                },
            )
        }
        Ground::Conflict(asked, refutation) => {
            let culprits = Analysis::new(&asked, index).conflict(refutation, candidate);
            // What would fit has to fit by the policy in force.
            let suspects = in_whole(problem, &culprits);
            let removals = Analysis::new(problem, index).removals(&suspects, candidate);
            let code = code_of(&culprits);
            let said = Described {
                code,
                verdict: if code == Code::DeclarationDirectUrl {
                    Verdict::Invalid
                } else {
                    Verdict::Unsatisfiable
                },
                held_back: Vec::new(),
                removals: removals.iter().map(|gone| names(problem, gone)).collect(),
            };
            describe(&culprits.problem, &culprits.roots, &culprits.refutation, said)
        }
    }
}

/// The culprits by their positions in the whole problem.
fn in_whole(problem: &Problem, culprits: &Culprits) -> Roots {
    let ids: Vec<&str> = culprits
        .roots
        .iter()
        .filter_map(|at| culprits.problem.roots.get(*at))
        .map(|root| root.id.as_str())
        .collect();
    let whole = problem.roots.iter().enumerate();
    whole
        .filter(|(_, root)| ids.contains(&root.id.as_str()))
        .map(|(at, _)| at)
        .collect()
}

struct Described {
    code: Code,
    verdict: Verdict,
    held_back: Vec<PackageName>,
    removals: Vec<Vec<String>>,
}

fn describe(problem: &Problem, roots: &Roots, refutation: &Refutation, said: Described) -> Refusal {
    let narrator = Narrator::new(problem, &refutation.facts);
    let conflict = names(problem, roots);
    let core_involved = roots
        .iter()
        .any(|at| problem.roots.get(*at).is_some_and(|root| root.is_core));
    Refusal {
        summary: summary(&said, &conflict, core_involved),
        verdict: said.verdict,
        code: said.code,
        proof: Proof::tell(&refutation.graph, &narrator),
        conflict,
        core_involved,
        removals: said.removals,
        held_back: said.held_back,
        facts: Facts {
            with_late: refutation.facts.with_late || said.code == Code::PolicyQuarantine,
            ..refutation.facts.clone()
        },
        effort: refutation.effort,
    }
}

/// The most packages that a summary names.
const MAX_NAMES: usize = 5;

fn summary(said: &Described, conflict: &[String], core: bool) -> String {
    let packages = || {
        let names: Vec<&str> = said
            .held_back
            .iter()
            .take(MAX_NAMES)
            .map(PackageName::as_str)
            .collect();
        match said.held_back.len().saturating_sub(names.len()) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    };
    let who = || match (conflict, core) {
        ([], true) => "Hermes core".into(),
        ([one], false) => format!("plugin {one}"),
        _ => String::from("somebody"),
    };
    match said.code {
        Code::BuildRequired => format!("{} would have to be built from source", packages()),
        Code::PolicyQuarantine => format!("only releases newer than the cutoff would fit ({})", packages()),
        Code::PolicyYanked => format!("only withdrawn releases would fit ({})", packages()),
        Code::UnionRequiresPython => format!("what {} requires does not run on the target's Python", who()),
        Code::UnionCoreVersion => "another version of Hermes is required".into(),
        Code::UnionNoSuchPackage => "a required package does not exist".into(),
        Code::UnionNoSuchVersion | Code::UnionNoWheel => {
            "no version of a required package can be used".into()
        }
        _ => {
            let mut parties: Vec<&str> = conflict.iter().map(String::as_str).collect();
            if core {
                parties.insert(0, "Hermes core");
            }
            format!(
                "the requirements of {} cannot hold together",
                parties.join(" and ")
            )
        }
    }
}

/// The code of a proof: what it turns on when a single party is involved, otherwise a conflict.
fn code_of(culprits: &Culprits) -> Code {
    let proof = &culprits.refutation;
    let facts = || proof.graph.facts().iter();
    if let Some(code) = facts().find_map(Fact::owner_barred) {
        return code;
    }
    let parties = culprits.roots.len();
    // What a root itself asks for is the reason whoever else takes part.
    let asks = |test: &dyn Fn(&PackageName) -> bool| {
        facts().any(|fact| {
            fact.required(parties > 1)
                .and_then(Node::package)
                .is_some_and(test)
        })
    };
    if asks(&|package| {
        proof
            .facts
            .candidates(package)
            .is_some_and(|known| !known.is_known())
    }) {
        return Code::UnionNoSuchPackage;
    }
    if asks(&|package| culprits.problem.provided.contains_key(package)) {
        return Code::UnionCoreVersion;
    }
    if parties > 1 {
        return Code::UnionConflict;
    }
    let obstacles = obstacles(proof);
    let met = |code: Code| obstacles.iter().any(|(_, codes)| codes.contains(&code));
    let turns_on = [
        Code::UnionRequiresPython,
        Code::UnionNoWheel,
        Code::IndexQuarantined,
    ];
    match turns_on.into_iter().find(|code| met(*code)) {
        Some(code) => code,
        None if facts().any(|fact| fact.required(false) == Some(&Node::Python)) => Code::UnionRequiresPython,
        None if obstacles.is_empty() => Code::UnionConflict,
        None => Code::UnionNoSuchVersion,
    }
}

fn names(problem: &Problem, roots: &Roots) -> Vec<String> {
    let plugins = roots
        .iter()
        .filter_map(|at| problem.roots.get(*at))
        .filter(|root| !root.is_core);
    plugins.map(|root| root.id.clone()).collect()
}
