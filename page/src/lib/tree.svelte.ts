/** The move tree of the game shown: its nodes, the line through the one on the board, and steps along it. */

import type { GameView, NodeView } from '../wire.ts'
import { pathTo, placed, tipOf, turnStep } from './turns.ts'

export type Step = 'back' | 'forward' | 'first' | 'last'

export class MoveTree {
  /** Parents before their children; a parent is an index into this list, as all nodes are on this side of the wire. */
  nodes = $state.raw<NodeView[]>([])
  /** The node on the board. */
  current = $state(0)

  #game = $state.raw<GameView | null>(null)
  /** Where each node stands in `nodes`, by the name the server gave it. */
  #places = $state.raw(new Map<number, number>())
  /** The end of the line shown last, by its name. */
  #tip = $state(0)

  placed = $derived(this.#game ? placed(this.#game, this.nodes) : [])
  /** The line shown: through the node on the board to the end where it came from. */
  line = $derived.by(() => {
    const known = pathTo(this.nodes, this.indexOf(this.#tip))
    return known.includes(this.current) ? known : pathTo(this.nodes, tipOf(this.nodes, this.current))
  })
  /** Whether moves follow the one shown. */
  ahead = $derived(this.current !== (this.line.at(-1) ?? 0))

  /** Begins anew with another game. */
  enter(game: GameView, nodes: readonly NodeView[]) {
    this.#game = game
    this.nodes = []
    this.#tip = this.current = 0
    this.grow(0, nodes)
  }

  /** Replaces the list of nodes from a place on; parents become indices. */
  grow(from: number, more: readonly NodeView[]) {
    const nodes = this.nodes.slice(0, from)
    const places = new Map(nodes.map(({ id }, at) => [id, at]))
    for (const node of more) {
      places.set(node.id, nodes.length)
      nodes.push({ ...node, parent: node.parent === null ? null : (places.get(node.parent) ?? 0) })
    }
    this.nodes = nodes
    this.#places = places
  }

  /** Shows another node; the line stays as long as the node is on it. */
  show(node: number) {
    const line = this.line
    this.current = node
    this.#tip = this.idOf(tipOf(this.nodes, line.includes(node) ? line.at(-1)! : node))
  }

  /** Where a node that the server names stands in `nodes`. */
  indexOf(id: number): number {
    return this.#places.get(id) ?? 0
  }

  /** How the server calls a node. */
  idOf(node: number): number {
    return this.nodes[node]?.id ?? 0
  }

  /** Where a step of a whole turn leads. */
  target(to: Step, from: number): number {
    switch (to) {
      case 'back':
        return turnStep(this.line, this.placed, from, -1)
      case 'forward':
        return turnStep(this.line, this.placed, from, 1)
      case 'first':
        return 0
      case 'last':
        return this.line.at(-1) ?? 0
    }
  }

  /** The stones of the turn that ends at a node. */
  turnCells(node: number): number[] {
    const cells: number[] = []
    for (let at: number | null = node; at !== null && at > 0; at = this.nodes[at]!.parent) {
      if (at !== node && this.placed[at]!.left === 0) break
      cells.unshift(this.nodes[at]!.cell!)
    }
    return cells
  }
}
