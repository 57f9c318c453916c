//! What a line means: connections, their types, promotions, exact threats
