//! Experiments that are more than matches: what they find is computed here, from games that are
//! kept like any others.

pub(crate) mod feval_regression;
