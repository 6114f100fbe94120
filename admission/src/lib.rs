//! Decides: surfaces, the union, PubGrub, explanations, verdicts. Pure.
