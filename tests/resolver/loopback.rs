//! C10: the answer does not depend on how the index is reached, nor on the order in which answers arrive:
//! the same description in memory and behind HTTP, with everything asked ahead, gives the same.

use std::time::Duration;

use hermes_admission::{Solution, solve};
use hermes_pm_tests::Fault;
use hermes_pm_tests::fake_index::FakeIndex;
use hermes_pm_tests::live::LiveIndex;
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::server::{Answer, Server};
use hermes_pm_tests::universes::random;
use hermes_terms::Code;

/// An answer without what may differ: addresses.
fn summary(solution: &Solution) -> String {
    match solution {
        Solution::Resolved(resolution) => {
            let told = resolution
                .packages
                .values()
                .map(|p| format!("{} {:?}", p.file.filename, p.requested_by));
            format!(
                "{} {:?}",
                told.collect::<Vec<_>>().join("; "),
                resolution.facts.digest()
            )
        }
        Solution::Unsatisfiable(refutation) => format!("none: {:?}", refutation.facts.digest()),
        Solution::Undecided(stop) => format!("{}: {stop}", stop.code),
    }
}

#[test]
fn in_memory_and_over_http_the_answer_is_the_same() -> Result<(), Fault> {
    for seed in 0..60 {
        let case = random(seed)?;
        let server = Server::start(&case.universe)?;
        let live = LiveIndex::new(&[server.url()], &case.problem)?;
        let far = solve(&case.problem, &live);
        let near = solve(
            &case.problem,
            &FakeIndex::new(&case.universe)?.aimed(&case.problem.target),
        );
        assert_eq!(summary(&far), summary(&near), "seed {seed}\n{}", case.show());
        let mut requests = server.requests();
        let all = requests.len();
        requests.sort();
        requests.dedup();
        assert_eq!(requests.len(), all, "seed {seed}: something was asked for twice");
    }
    Ok(())
}

/// C12: whatever an index does instead of answering, nothing is concluded, and the code says why.
#[test]
fn an_index_that_misbehaves_decides_nothing() -> Result<(), Fault> {
    let page = br#"{"meta": {"api-version": "1.0"}, "name": "a", "files": []}"#;
    let table = [
        (
            "unauthorized",
            Answer::Whole(401, "text/plain", Vec::new()),
            Code::IndexUnauthorized,
        ),
        (
            "forbidden",
            Answer::Whole(403, "text/plain", Vec::new()),
            Code::IndexUnauthorized,
        ),
        (
            "broken",
            Answer::Whole(500, "text/plain", b"oops".to_vec()),
            Code::IndexUnavailable,
        ),
        (
            "another name",
            Answer::Whole(200, PAGE, page.to_vec()),
            Code::IndexMalformed,
        ),
        (
            "no json",
            Answer::Whole(200, PAGE, b"{\"meta\":".to_vec()),
            Code::IndexMalformed,
        ),
        (
            "half a body",
            Answer::Cut(4_000, b"{\"meta\"".to_vec()),
            Code::NetTruncated,
        ),
        (
            "no http",
            Answer::Raw(b"220 mail.example ready\r\n".to_vec()),
            Code::IndexUnavailable,
        ),
        ("nothing", Answer::Silence(Duration::ZERO), Code::IndexUnavailable),
    ];
    for (what, answer, code) in table {
        let problem = plain(&["b"])?;
        let server = Server::start_with(&toml::from_str("")?, [("/simple/b/", answer)])?;
        let live = LiveIndex::new(&[server.url()], &problem)?;
        match solve(&problem, &live) {
            Solution::Undecided(stop) => assert_eq!(stop.code, code, "{what}: {stop}"),
            other => return Err(Fault::new(format_args!("{what}: {}", summary(&other)))),
        }
    }
    Ok(())
}

const PAGE: &str = "application/vnd.pypi.simple.v1+json";

fn plain(requires: &[&str]) -> Result<hermes_admission::Problem, Fault> {
    use hermes_pm_tests::problem;
    let requires: Vec<String> = requires.iter().map(|text| (*text).to_owned()).collect();
    let root = problem::root("core", &requires, None)?;
    Ok(problem::plain(
        vec![root],
        problem::target("3.12", "x86_64-linux")?,
    ))
}
