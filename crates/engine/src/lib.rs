//! Sextant, the flagship player for boards without gravity
