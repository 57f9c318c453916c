/** Names and endings in the page's language: who plays, who won, how. */

import { colourName, t } from '../texts.ts'
import type { BoardView, Colour, Ending, GameView, Level } from '../wire.ts'
import { other } from './cells.ts'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A sentence of the server, which speaks of Black and White, in the colours on the board. */
export function inColours(text: string, discs: boolean): string {
  const coloured = discs ? text.replaceAll(/\bBlack\b/g, 'Red').replaceAll(/\bWhite\b/g, 'Yellow') : text
  // A cell keeps its small letter.
  return /^[a-z]+\d/.test(coloured) ? coloured : capital(coloured)
}

/** A computer's name: a level in the page's language, else as it is called everywhere. */
export function agentName(label: string): string {
  const level = /^level (\d+)$/i.exec(label)
  return level ? t.levelLabel(Number(level[1])) : capital(label)
}

/** A level with its name and its estimated Elo above the first. */
export const levelName = ({ label, name, elo }: Level): string =>
  [agentName(label), t.levelNames[name] ?? name, elo ? `+${elo} Elo` : ''].filter(Boolean).join(' · ')

/** Who plays a side: as the record says, else a computer's name; beside a computer the person at this page is "You". */
export function playerName({ seats, info }: GameView, colour: Colour): string {
  const seat = seats[colour === 'black' ? 0 : 1]
  const recorded = info.find(({ key }) => key.toLowerCase() === colour)?.value
  return recorded ?? (seat.type === 'agent' ? agentName(seat.label)
    : seats.some(({ type }) => type === 'agent') ? t.you : t.player)
}

/** The name of whoever did something in an opening: the server calls a person at the page so. */
export const openingName = ({ seats }: GameView, who: string): string =>
  who !== PERSON ? agentName(who) : seats.some(({ type }) => type === 'agent') ? t.you : t.player

/** How a game ended, in a sentence. */
export function endingText({ winner, reason }: Ending, { rules }: GameView): string {
  if (!winner) return reason === 'full-board' ? t.status.full : t.status.draw
  const [own, opponent] = [colourName(winner, rules.gravity), colourName(other(winner), rules.gravity)]
  if (reason === 'row') return t.status.winsByRow(own, rules.k)
  return t.status.fault(reason, own, opponent) ?? t.status.wins(own)
}

/** A record that was opened, for those who listen. */
export function openedText(game: GameView, board: BoardView): string {
  const names = game.info.filter(({ key }) => /^(black|white)$/i.test(key)).map(({ value }) => value)
  const end = board.ending ? endingText(board.ending, game) : ''
  return t.announce.opened(t.gameName(game.rules.name), names.length === 2 ? names : [], board.moves.length, end)
}

/** How the store calls a seat without a name. */
const PERSON = 'Person'

/** The name of a side in a stored game: beside a computer the person at this page is "You". */
function storedName(names: [string, string], colour: Colour): string {
  const [own, opponent] = colour === 'black' ? names : [names[1], names[0]]
  return own !== PERSON ? agentName(own) : opponent === PERSON ? t.player : t.you
}

/** The names of both sides of a stored game. */
export const storedPlayers = (names: [string, string]): string =>
  names.every((name) => name === PERSON) ? t.games.twoPlayers : `${storedName(names, 'black')} – ${storedName(names, 'white')}`

/** Who won a stored game: you, a name, or the colour where two people played. */
export function storedWinner(names: [string, string], winner: Colour, discs: boolean): string {
  const name = storedName(names, winner)
  return name === t.you ? t.games.youWon : t.games.won(name === t.player ? colourName(winner, discs) : name)
}

/** The name of a run: what it is, or the experiment it belongs to. */
export const runName = (name: string): string => (name === 'match' || name === 'tournament' ? t.arena[name] : name)
