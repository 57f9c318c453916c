//! Matchings in a graph: who can be paired with whom so that nobody is left over.
//!
//! Edmonds 1965: a matching grows along paths that begin and end at free vertices; an odd cycle on the
//! way (a *blossom*) is shrunk to one vertex. O(n³), and one path O(n²).

use std::collections::VecDeque;

/// A graph as a square table, with the pairs chosen in it.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    edges: Vec<Vec<bool>>,
    mates: Vec<Option<usize>>,
    /// Those that are paired for good.
    fixed: Vec<bool>,
}

impl Matching {
    /// As many pairs as there can be. The graph is undirected.
    pub(super) fn largest(edges: Vec<Vec<bool>>) -> Self {
        let count = edges.len();
        let mut matching = Self { edges, mates: vec![None; count], fixed: vec![false; count] };
        for vertex in 0..count {
            if matching.mates[vertex].is_none() {
                matching.augment(vertex);
            }
        }
        matching
    }

    /// Whether nobody is left over.
    pub(super) fn is_perfect(&self) -> bool {
        self.mates.iter().all(Option::is_some)
    }

    /// Pairs two for good, if the others can still all be paired: says whether it did.
    pub(super) fn fix(&mut self, a: usize, b: usize) -> bool {
        if !self.may_pair(a, b) {
            return false;
        }
        let before = self.mates.clone();
        let left = self.mates[a].filter(|&mate| mate != b);
        for vertex in [a, b] {
            if let Some(mate) = self.mates[vertex].take() {
                self.mates[mate] = None;
            }
        }
        (self.fixed[a], self.fixed[b]) = (true, true);
        // Those two were paired with others, who now need each other, perhaps by way of the rest.
        let done = left.is_none_or(|left| self.augment(left));
        if done {
            (self.mates[a], self.mates[b]) = (Some(b), Some(a));
        } else {
            self.mates = before;
            (self.fixed[a], self.fixed[b]) = (false, false);
        }
        done
    }

    fn may_pair(&self, a: usize, b: usize) -> bool {
        self.edges[a][b] && !self.fixed[a] && !self.fixed[b]
    }

    /// One more pair, with this free vertex in it, if there can be.
    fn augment(&mut self, root: usize) -> bool {
        let Some((end, from)) = Search::new(root, self).run() else { return false };
        let mut at = Some(end);
        while let Some(vertex) = at {
            let before = from[vertex];
            at = before.and_then(|before| self.mates[before]);
            self.mates[vertex] = before;
            if let Some(before) = before {
                self.mates[before] = Some(vertex);
            }
        }
        true
    }
}

/// The search for a path from a free vertex to another one.
struct Search<'a> {
    graph: &'a Matching,
    root: usize,
    /// The vertex before, on the way to one that is reached by an edge outside the matching.
    from: Vec<Option<usize>>,
    /// The blossom a vertex is in, by the vertex where the blossom is entered.
    base: Vec<usize>,
    seen: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(root: usize, graph: &'a Matching) -> Self {
        let count = graph.edges.len();
        let mut seen = vec![false; count];
        seen[root] = true;
        Self {
            graph,
            root,
            from: vec![None; count],
            base: (0..count).collect(),
            seen,
            queue: VecDeque::from([root]),
        }
    }

    /// The free vertex found and the way to it.
    fn run(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(vertex) = self.queue.pop_front() {
            for other in 0..self.base.len() {
                let mate = self.graph.mates[other];
                if !self.graph.may_pair(vertex, other)
                    || self.base[vertex] == self.base[other]
                    || self.graph.mates[vertex] == Some(other)
                {
                    continue;
                }
                if other == self.root || mate.is_some_and(|mate| self.from[mate].is_some()) {
                    self.shrink(vertex, other);
                } else if self.from[other].is_none() {
                    self.from[other] = Some(vertex);
                    match mate {
                        None => return Some((other, self.from)),
                        Some(mate) => {
                            self.seen[mate] = true;
                            self.queue.push_back(mate);
                        }
                    }
                }
            }
        }
        None
    }

    /// Makes one vertex of the odd cycle that an edge closes.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.meeting_point(a, b);
        let mut inside = vec![false; self.base.len()];
        self.mark(a, base, b, &mut inside);
        self.mark(b, base, a, &mut inside);
        for vertex in 0..self.base.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = base;
                if !self.seen[vertex] {
                    self.seen[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    /// Where the ways back from two vertices to the root meet.
    fn meeting_point(&self, a: usize, b: usize) -> usize {
        let back = |vertex: usize| {
            self.graph.mates[vertex].and_then(|mate| self.from[mate]).map(|next| self.base[next])
        };
        let mut on_the_way = vec![false; self.base.len()];
        let mut at = Some(self.base[a]);
        while let Some(vertex) = at {
            on_the_way[vertex] = true;
            at = back(vertex);
        }
        let mut at = self.base[b];
        while !on_the_way[at] {
            // Both ways end at the root.
            let Some(next) = back(at) else { break };
            at = next;
        }
        at
    }

    /// Marks the blossoms between a vertex and the base, and turns the way there round.
    fn mark(&mut self, vertex: usize, base: usize, child: usize, inside: &mut [bool]) {
        let (mut vertex, mut child) = (vertex, child);
        while self.base[vertex] != base {
            let Some(mate) = self.graph.mates[vertex] else { return };
            inside[self.base[vertex]] = true;
            inside[self.base[mate]] = true;
            self.from[vertex] = Some(child);
            child = mate;
            let Some(next) = self.from[mate] else { return };
            vertex = next;
        }
    }
}

#[cfg(test)]
#[expect(clippy::needless_range_loop, reason = "a matrix is read and written from both sides")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(count: usize, coins: &[bool]) -> Vec<Vec<bool>> {
        let mut edges = vec![vec![false; count]; count];
        let mut coins = coins.iter().copied();
        for a in 0..count {
            for b in a + 1..count {
                let edge = coins.next().unwrap_or(false);
                (edges[a][b], edges[b][a]) = (edge, edge);
            }
        }
        edges
    }

    /// The most pairs, tried one after the other.
    fn most_pairs(edges: &[Vec<bool>], free: &mut Vec<bool>) -> usize {
        let Some(a) = free.iter().position(|&free| free) else { return 0 };
        free[a] = false;
        let mut best = most_pairs(edges, free);
        for b in a + 1..edges.len() {
            if edges[a][b] && free[b] {
                free[b] = false;
                best = best.max(1 + most_pairs(edges, free));
                free[b] = true;
            }
        }
        free[a] = true;
        best
    }

    proptest! {
        #[test]
        fn as_many_pairs_as_trying_all_of_them(
            count in 1_usize..9,
            coins in prop::collection::vec(prop::bool::weighted(0.35), 36),
        ) {
            let edges = graph(count, &coins);
            let matching = Matching::largest(edges.clone());
            let pairs = (0..count).filter(|&a| matching.mates[a].is_some()).count();
            for a in 0..count {
                if let Some(b) = matching.mates[a] {
                    prop_assert!(edges[a][b] && matching.mates[b] == Some(a));
                }
            }
            prop_assert_eq!(pairs / 2, most_pairs(&edges, &mut vec![true; count]));
        }

        #[test]
        fn two_are_fixed_exactly_when_the_others_can_be_paired(
            coins in prop::collection::vec(prop::bool::weighted(0.5), 28),
        ) {
            let edges = graph(8, &coins);
            let matching = Matching::largest(edges.clone());
            prop_assume!(matching.is_perfect());
            for a in 0..8 {
                for b in (0..8).filter(|&b| b != a) {
                    let mut free = vec![true; 8];
                    (free[a], free[b]) = (false, false);
                    let possible = edges[a][b] && most_pairs(&edges, &mut free) == 3;
                    let mut fixed = matching.clone();
                    prop_assert_eq!(fixed.fix(a, b), possible);
                    prop_assert!(fixed.is_perfect());
                    prop_assert_eq!(fixed.mates[a] == Some(b), possible || matching.mates[a] == Some(b));
                }
            }
        }
    }
}
