//! The program as people and other programs meet it.

#![allow(missing_docs)]

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use hermes_pm_tests::fake_index::Universe;

const BINARY: &str = env!("CARGO_BIN_EXE_hermes-pm-under-test");

/// C34: data on standard output, talk on standard error, documented exit codes.
#[test]
fn wrong_usage_is_exit_code_2_and_says_so_on_standard_error() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &Universe::default())?;
    for arguments in [&["fly"][..], &["plan"], &["union", "--deadline", "0"], &[]] {
        let run = context.run(arguments)?;
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains("--help"), "{arguments:?}: {}", run.stderr);
    }
    Ok(())
}

#[test]
fn the_version_is_told_without_a_home_or_an_index() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &Universe::default())?;
    std::fs::remove_dir(context.home())?;
    let run = context.run(&["--version"])?;
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout.trim(),
        concat!("hermes-pm ", env!("CARGO_PKG_VERSION"))
    );
    assert!(context.server().requests().is_empty());
    assert!(!context.home().exists());
    Ok(())
}
