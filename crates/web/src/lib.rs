//! The board page's server
