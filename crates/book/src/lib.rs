//! Opening statistics graph: build, store, query
