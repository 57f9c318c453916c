/** A game with a friend by a link: the room as the server tells it, and what this page's player does there. */

import { t } from '../texts.ts'
import type { Colour, FriendDeed, FriendsView, Invitation, NewGame, Wish } from '../wire.ts'
import { other } from './cells.ts'
import type { Page } from './page.svelte.ts'
import { room, roomLink } from './room.ts'

/** What to be called: kept by this browser. */
const NAME_KEY = 'collinear.name'
/** The seat that whoever made the room takes in it: kept until the room is entered. */
const SEAT_KEY = 'collinear.seat'

export const seatAt = (colour: Colour): 0 | 1 => (colour === 'black' ? 0 : 1)

export class Friends {
  /** Null in every other game. */
  view = $state.raw<FriendsView | null>(null)
  invitation = $state.raw<Invitation | null>(null)
  name = $state(kept(NAME_KEY))

  #page: Page
  #wanted: { colour: Colour; name: string } | null = null

  constructor(page: Page) {
    this.#page = page
  }

  /** Where other people come in: the addresses of the network, or else the one this page was opened with. */
  links = $derived.by(() => {
    const links = this.invitation?.links ?? []
    return links.length || !room ? links : [{ url: roomLink(room), size: 0, path: '' }]
  })
  /** Whether only browsers of this machine can open the link. */
  onlyHere = $derived(!!this.invitation?.owner && !this.invitation.links.length && LOOPBACK.test(window.location.hostname))
  you = $derived(this.view?.you ?? null)
  /** Whether the opponent has to answer, or the player at this page. */
  toAnswer = $derived(!!this.view?.asked && !!this.you && this.view.asked.by !== this.you)

  /** Whether the game may be stepped through: with a friend when it is over, by both players at once. */
  mayStep = $derived(!this.view || (this.view.over && !!this.view.you))

  /** Whether the player at this page may act for a side; anybody may in other games. */
  mayAct(side: Colour): boolean {
    return !this.view || (this.view.agreed && !this.view.over && this.view.you === side)
  }

  /** How the game stands, where that is not as in other games. */
  headline(): string | null {
    const { view } = this
    if (!view) return null
    if (view.seats.some((seat) => !seat)) return view.you ? t.friends.waiting : t.friends.free
    if (!view.agreed) return t.friends.settling
    return view.you === this.#page.acting ? t.status.yourTurn : t.friends.turnOf(this.nameOf(this.#page.acting))
  }

  nameOf(side: Colour): string {
    return this.view?.seats[seatAt(side)]?.name ?? this.#page.side(side)
  }

  welcome(invitation: Invitation | null) {
    this.invitation = invitation
  }

  hear(view: FriendsView) {
    this.view = view
    const wanted = this.#wanted ?? (room ? takeWanted(room) : null)
    this.#wanted = null
    if (wanted && !view.you && !view.seats[seatAt(wanted.colour)]) this.sit(wanted.colour, wanted.name)
  }

  /** Makes a room for a game and goes there. */
  invite(game: NewGame, colour: Colour, name: string) {
    this.#rename(name)
    this.#wanted = { colour, name }
    this.#page.send({ type: 'invite', game })
  }

  /** The room is there. */
  invited(secret: string) {
    if (this.#wanted) sessionStorage.setItem(SEAT_KEY, JSON.stringify({ ...this.#wanted, room: secret }))
    window.location.assign(roomLink(secret))
  }

  sit(colour: Colour, name: string) {
    this.#rename(name)
    const clock = this.#page.game?.timing
    if (clock) this.does({ type: 'sit', colour, name, clock })
  }

  ask(wish: Wish) {
    this.does({ type: 'ask', wish })
  }

  does(deed: FriendDeed) {
    this.#page.send({ type: 'friend', deed })
  }

  /** The name of the other player. */
  opponent(): string {
    return this.you ? this.nameOf(other(this.you)) : ''
  }

  #rename(name: string) {
    this.name = name
    try {
      localStorage.setItem(NAME_KEY, name)
    } catch {
      // It is asked for again.
    }
  }
}

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/

function kept(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** The seat that this page was to take when it made the room; once. */
function takeWanted(secret: string): { colour: Colour; name: string } | null {
  const text = sessionStorage.getItem(SEAT_KEY)
  const wanted = text ? (JSON.parse(text) as { room: string; colour: Colour; name: string }) : null
  if (wanted?.room !== secret) return null
  sessionStorage.removeItem(SEAT_KEY)
  return wanted
}
