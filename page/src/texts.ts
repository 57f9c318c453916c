/**
 * Every text of the page in English, and `t`, the same in the language chosen. The other languages are in `texts/`:
 * the type `Texts` asks each of them for every text, and for nothing else.
 */

import { chosen, language } from './lib/language.svelte.ts'
import type { Colour, EndReason, RulesForm, RulesView, ShapeName, SideReview } from './wire.ts'

const gameNames: Record<string, string> = {
  connect6: 'Connect6',
  connect4: 'Connect Four',
  gomoku: 'Gomoku',
  'gomoku-standard': 'Gomoku, exactly five',
  renju: 'Renju',
  tictactoe: 'Tic-tac-toe',
}

/** How games end, in a list. */
const endings: Record<EndReason, string> = {
  row: 'by a row',
  'full-board': 'with a full board',
  'dead-draw': 'drawn, no row possible',
  forbidden: 'by a forbidden point',
  'illegal-turn': 'by an illegal move',
  'time-forfeit': 'on time',
  crash: 'by a crash',
  'agent-error': 'by an engine error',
  'move-limit': 'at the move limit',
  adjudicated: 'adjudicated',
  resignation: 'by resignation',
  forfeit: 'by forfeit',
  agreement: 'by agreement',
  'called-off': 'called off',
  disconnect: 'by a lost connection',
  silence: 'by silence',
  misread: 'by an unreadable answer',
  unstated: 'for an unknown reason',
}

/** What the loser did; nothing where the game was decided on the board or by agreement. */
const faults: Record<EndReason, string | null> = {
  row: null,
  'full-board': null,
  'dead-draw': null,
  'move-limit': null,
  agreement: null,
  adjudicated: null,
  unstated: null,
  'called-off': null,
  resignation: 'resigned',
  'time-forfeit': 'ran out of time',
  forbidden: 'had to play a forbidden point',
  'illegal-turn': 'played an illegal turn',
  crash: 'failed',
  'agent-error': 'failed',
  disconnect: 'lost its connection',
  silence: 'did not answer',
  misread: 'gave an answer that could not be read',
  forfeit: 'forfeited',
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const inWords = (n: number) => numberWords[n] ?? String(n)
const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`

export const en = {
  title: 'Collinear',
  /** The title of the window: whose turn it is comes first, since tabs are narrow. */
  windowTitle: (state: string, game: string) => [state, game, 'Collinear'].filter(Boolean).join(' · '),
  gameName: (name: string) => gameNames[name] ?? name.replace('x', '×').replaceAll(',', ', '),
  gameTitle: (name: string) => gameNames[name] ?? 'Custom game',
  you: 'You',
  player: 'Player',
  colours: { black: 'Black', white: 'White', red: 'Red', yellow: 'Yellow' },
  levelLabel: (n: number) => `Level ${n}`,
  /** The levels' names as the server has them, where this language has others. */
  levelNames: {} as Record<string, string>,
  rulesParts: (rules: RulesView | RulesForm): string[] => {
    const parts = [
      `${rules.exact ? 'exactly ' : ''}${inWords(rules.k)} in a row`,
      `${rules.width}×${rules.height}`,
    ]
    if (rules.gravity) parts.push('with gravity')
    if (rules.p > 1 || rules.q > 1) {
      parts.push(`${inWords(rules.p)} stone${rules.p === 1 ? '' : 's'} per turn (${inWords(rules.q)} on the first)`)
    }
    return parts
  },
  rulesLine: (rules: RulesView | RulesForm): string => en.rulesParts(rules).join(' · '),

  status: {
    connecting: 'Connecting…',
    lost: 'Connection lost. Reconnecting… Your game is saved.',
    yourTurn: 'Your turn',
    toMove: (side: string) => `${side} to move`,
    stoneOf: (at: number, of: number) => `Stone ${at} of ${of}`,
    thinking: (name: string) => `${name} is thinking…`,
    waiting: (ahead: number) => `Waiting for a free processor; ${plural(ahead, 'search').replace('searchs', 'searches')} ahead`,
    dropped: (cell: string) => `No stone could be placed at ${cell}: the position has changed.`,
    paused: 'Paused',
    lookingBack: 'Viewing an earlier move',
    draw: 'Draw',
    full: 'Draw: the board is full',
    wins: (winner: string) => `${winner} wins`,
    winsByRow: (winner: string, k: number) => `${winner} wins with ${inWords(k)} in a row`,
    /** Nothing where the loser did nothing: the game was decided on the board or by agreement. */
    fault: (reason: EndReason, winner: string, loser: string): string | null => {
      const fault = faults[reason]
      return fault && `${loser} ${fault}; ${winner} wins`
    },
    youWin: 'You win!',
    youLose: 'You lose.',
  },

  announce: {
    turn: (side: string, cells: string) => `${side} ${cells}`,
    hint: (cells: string) => `Hint: ${cells}`,
    opened: (game: string, players: string[], stones: number, end: string) =>
      `Opened a game of ${game}${players.length ? `, ${players.join(' against ')}` : ''}, ${plural(stones, 'stone')}.${end && ` ${end}.`}`,
  },

  board: {
    label: (rules: RulesView) => `Board, ${rules.width} by ${rules.height}`,
    empty: (cell: string) => `${cell}, empty`,
    forbidden: (cell: string) => `${cell}, forbidden`,
    stone: (cell: string, side: string, number: number) =>
      `${cell}, ${side.toLowerCase()}${number ? `, stone ${number}` : ''}`,
    placeAt: (cell: string) => `Place at ${cell}`,
  },

  nav: {
    newGame: 'New game',
    games: 'My games',
    arena: 'Arena',
    puzzles: 'Puzzles',
    board: 'Board',
    settings: 'Settings',
    help: 'Keys',
    theme: { auto: 'Match system', light: 'Light', dark: 'Dark' },
  },

  controls: {
    hint: 'Hint',
    undo: 'Undo',
    redo: 'Redo',
    resign: 'Resign',
    resignSure: 'Really resign?',
    pause: 'Pause',
    resume: 'Resume',
    speed: 'Delay between turns',
    goOn: 'Play on from here',
    rematch: 'Play again',
    typed: 'Type a move',
    typedExample: (rules: RulesView): string => (rules.gravity ? 'd or 4' : rules.width > 9 ? 'j10' : 'b2'),
    hintIs: (cells: string) => `Hint: ${cells}`,
  },

  moves: {
    tab: 'Moves',
    steps: 'Step through the game',
    first: 'To the start',
    back: 'Previous turn',
    forward: 'Next turn',
    last: 'To the end',
    none: 'No stones yet. Click the board to place the first one.',
    comment: 'Comment on this move',
    promote: 'Make this the main line',
    prune: 'Delete this move and what follows',
    pruned: 'Moves deleted.',
  },

  notices: {
    undo: 'Undo',
    close: 'Dismiss',
  },

  analysis: {
    tab: 'Analysis',
    on: 'Analyse this position',
    off: 'Stop',
    lines: 'Lines',
    balanceOne: 'Balanced move',
    balanceTwo: 'Two balanced moves',
    depth: (depth: number) => `depth ${depth}`,
    nodes: (compact: string) => `${compact} positions`,
    winIn: (side: string, turns: number) => `${side} wins in ${plural(turns, 'turn')}`,
    winShort: (side: string, turns: number) => `${side} wins in ${turns}`,
    draw: 'Draw',
    over: 'The game is over here.',
    none: 'No engine can analyse this game.',
    chance: (side: string, chance: number) => `${side} ${Math.round(chance * 100)} %`,
    chances: (side: string) => `chances for ${side}`,
    play: (cells: string) => `Play ${cells}`,
    graph: 'Evaluation graph',
    graphHelp: (side: string) => `${side}’s chance to win after each turn; click to go there`,
    review: 'Review game',
    stopReview: 'Stop',
    reviewing: (done: number, of: number) => `${done} of ${of} turns`,
    grades: { good: '', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder' },
    noGraph: 'No turn has been evaluated yet.',
  },

  review: {
    effort: 'Depth',
    efforts: ['Quick', 'Normal', 'Deep'],
    accuracy: (side: string, accuracy: number) => `${side} ${Math.round(accuracy)} % accurate`,
    counts: ({ inaccuracies, mistakes, blunders, missedWins }: SideReview) =>
      [
        inaccuracies && plural(inaccuracies, 'inaccuracy').replace('inaccuracys', 'inaccuracies'),
        mistakes && plural(mistakes, 'mistake'),
        blunders && plural(blunders, 'blunder'),
        missedWins && plural(missedWins, 'missed win'),
      ].filter(Boolean).join(', ') || 'no mistakes',
    turningPoint: 'The turning point.',
    better: (cells: string) => `Better: ${cells}`,
    none: 'No mistakes found.',
    ask: 'What went wrong?',
  },

  overlays: {
    title: 'On the board',
    threats: 'Threats',
    columns: 'Exact column scores',
    shapes: 'Explain lines at the cursor',
    policy: 'Where would it play?',
    likelyCell: (cell: string, share: number) => `${cell} (${Math.round(share * 100)} %)`,
    likely: (cells: string[]) => `Without searching, the network would place the next stone on ${cells.join(', ')}.`,
    chances: (side: string, network: number, search: number | null) =>
      search === null
        ? `It gives ${side} ${network} %; analyse the position to compare.`
        : `It gives ${side} ${network} %, the search ${search} %.`,
    nothing: (side: string) => `${side} has no threats.`,
    winsNow: (side: string) => `${side} can win this turn.`,
    unstoppable: (side: string) => `${side}’s threats cannot be stopped in one turn.`,
    stop: (side: string, exact: number, atLeast: boolean, defences: string) =>
      `${side} has a threat. It takes ${atLeast ? 'at least ' : ''}${inWords(exact)} stone${exact === 1 ? '' : 's'} to stop it${defences && `: ${defences}`}.`,
    or: ' or ',
    columnsHelp: 'Positive: the player to move wins, and larger is sooner. 0 is a draw.',
    columnsBusy: 'Solving…',
    book: 'Opening book',
    bookEmpty: 'No game in the book reached this position.',
    bookTurn: (games: number, score: number) => `${plural(games, 'game')}, ${Math.round(score * 100)} %`,
    point: 'Point at a cell to see the lines through it.',
    becomes: (kind: string) => `a stone here makes it ${kind}`,
    noShapes: 'No stones on the lines through this cell.',
  },

  /** Stones of one line as players of five in a row call them. */
  lineShapes: {
    names: {
      five: 'five', straightFour: 'straight four', four: 'four', brokenFour: 'broken four',
      openThree: 'open three', brokenThree: 'broken three',
    } satisfies Record<ShapeName, string>,
    has: (side: string, shapes: string[]) => `${side}: ${shapes.join(', ')}.`,
  },

  /** What becomes of stones that Renju forbids to Black. */
  renju: { fouls: 'Forbidden points', refused: 'cannot be placed', lose: 'lose the game' },

  record: {
    tab: 'Share & export',
    copyLink: 'Copy link',
    copied: 'Link copied. Anyone running Collinear can open it.',
    share: 'Share',
    export: 'Export',
    save: 'Save',
    withReview: 'with the review',
    import: 'Open a game',
    importHelp: 'SGF, PSQ, CCGC, column strings, move lists, CSV, JSONL or RenLib: choose a file, drop it anywhere on the page, or paste its text. Moves are read in the game on the board; links of this page open too.',
    file: 'Choose a file',
    paste: 'Paste a game',
    open: 'Open',
    tooLarge: 'This file is larger than 1 MB. Convert or split it with `collinear convert`.',
    choose: 'Choose a game',
    png: 'PNG',
    svg: 'SVG',
    losses: (losses: string[]) => `This format leaves out: ${losses.join(', ')}.`,
    formats: {
      sgf: 'SGF',
      'sgf-lg': 'SGF, Little Golem',
      'sgf-511': 'SGF, GM 511',
      psq: 'PSQ (Gomocup)',
      pons: 'Column string',
      ccgc: 'CCGC',
      moves: 'Move list',
      csv: 'CSV',
      renlib: 'RenLib',
      jsonl: 'JSON lines',
    } as Record<string, string>,
    info: 'About this game',
  },

  arena: {
    title: 'Arena',
    none: 'No matches or tournaments on this computer yet. Try, for example:',
    example: 'collinear match sextant:level=3 sextant:level=2 --games 20',
    reports: 'Reports',
    runs: 'Matches and tournaments',
    run: 'Run',
    match: 'Match',
    tournament: 'Tournament',
    game: 'Game',
    players: 'Players',
    started: 'Started',
    games: (n: number) => plural(n, 'game'),
    gamesOf: (n: number, of: number) => `${n} of ${of} games`,
    progress: 'Games',
    files: 'Files',
    again: 'Command',
    made: (when: string) => `Created ${when}.`,
    whole: 'Full report',
    back: 'Back to arena',
    backToRun: 'Back to the run',
    replaying: (game: number) => `Game ${game}`,
    gone: 'There is nothing at this address any more.',
    loading: 'Loading…',
    standings: 'Standings',
    player: 'Player',
    score: 'Score',
    elo: 'Elo',
    tally: 'Won, drawn, lost',
    time: 'ms per turn',
    crosstable: 'Head-to-head',
    history: 'Score over time',
    endings: 'How games ended',
    how: (reason: EndReason): string => endings[reason],
    ending: (reason: EndReason, games: number) => `${games} ${endings[reason]}`,
    first: (points: number, games: number) =>
      `The first player scored ${points} of ${games} (${games ? Math.round((100 * points) / games) : 50} %).`,
    replay: 'Games',
    watch: 'Replay',
    live: 'New games appear as they finish.',
    result: (result: string): string =>
      result === 'draw' ? '½ : ½' : result === 'black' ? '1 : 0' : '0 : 1',
  },

  puzzles: {
    title: 'Puzzles',
    none: 'This program has no puzzles.',
    all: 'All puzzles',
    next: 'Next puzzle',
    again: 'Start over',
    hint: 'Hint',
    goal: (side: string, turns: number) => `${side} wins in ${turns}`,
    find: 'Find the winning move.',
    right: 'Solved!',
    done: 'solved',
    progress: (solved: number, of: number, streak: number, best: number) =>
      `${solved} of ${of} solved${best ? ` · streak ${streak}, best ${best}` : ''}`,
  },

  editor: {
    title: 'Set up a position',
    game: 'Game',
    place: 'Place',
    remove: 'Remove',
    toMove: 'To move',
    left: 'Stones left in the turn',
    clear: 'Clear the board',
    use: 'Use this position',
    solve: 'Solve as a puzzle',
  },

  match: {
    title: 'New match',
    game: 'Game',
    player: (n: number) => `Player ${n}`,
    add: 'Add a player',
    remove: 'Remove a player',
    games: 'Games',
    gamesPerPair: 'Games per pair',
    time: 'Milliseconds per turn',
    openings: 'Random stones at the start',
    help: 'Every opening is played twice, with sides swapped. The games appear in the arena as they finish.',
    start: 'Start the match',
    stop: 'Stop the match',
  },

  opening: {
    opener: 'Puts the first stones',
    chooser: 'Chooses a colour',
    choose: 'Which colour?',
    place: (stones: number, side: string) => `Place ${plural(stones, 'more stone')}; ${side.toLowerCase()} next`,
    play: (side: string) => `Play ${side}`,
    putTwo: 'Put two more stones',
    taken: (who: string, side: string, own: number | null) => `${who} → ${side}${own === null ? '' : `: it gives ${side} ${own} %`}`,
    two: (who: string, black: number | null) => `${who} → two more stones${black === null ? '' : `: neither side is ahead, Black has ${black} %`}`,
    put: (who: string, stones: number, black: number | null) => `${who}: ${plural(stones, 'stone')} on the board${black === null ? '' : `, Black has ${black} %`}`,
  },

  newGame: {
    title: 'New game',
    own: 'Custom game',
    ownLine: 'set your own rules',
    width: 'Columns',
    height: 'Rows',
    k: 'In a row',
    p: 'Stones per turn',
    q: 'On the first turn',
    gravity: 'Stones fall to the lowest free cell',
    exact: 'Longer rows do not count',
    first: (side: string) => `${side}, moves first`,
    second: (side: string) => side,
    strength: (rated: boolean): string => (rated ? 'Computer (Elo above Level 1)' : 'Computer'),
    agents: 'Engines',
    options: 'Options',
    swap: 'Swap sides',
    board: 'Board',
    opening: 'Opening',
    openings: {
      none: 'Black simply begins',
      swap2: 'Swap2',
      swap: 'Swap (after three stones)',
      swap1: 'Swap after the first stone',
    },
    time: 'Time',
    turnTime: 'Untimed; computer thinks for up to',
    clock: 'Clocks',
    seconds: 'seconds',
    minutes: 'minutes each',
    increment: 'seconds added per turn',
    play: 'Play',
    cancel: 'Cancel',
  },

  games: {
    title: 'My games',
    none: 'No saved games yet.',
    stones: (n: number) => plural(n, 'stone'),
    running: 'Unfinished',
    draw: 'Draw',
    won: (name: string) => `${name} won`,
    youWon: 'You won',
    twoPlayers: 'Two players',
    order: 'Sort by',
    orders: { latest: 'Latest first', oldest: 'Oldest first', game: 'Game', longest: 'Longest first' },
    limit: (limit: number) => `The latest ${limit} games are kept, and every game with comments.`,
    open: 'Open',
    forget: 'Delete',
    forgotten: 'Game deleted.',
  },

  settings: {
    title: 'Settings',
    language: 'Language',
    languageAuto: (name: string) => `As the browser (${name})`,
    theme: 'Appearance',
    board: 'Board and stones',
    boards: { wood: 'Wood', slate: 'Slate', contrast: 'High contrast' },
    sounds: 'Sounds',
    coordinates: 'Show coordinates',
    numbers: 'Show move numbers',
    confirm: 'Confirm each tap',
    confirmAuto: 'When cells are small',
    confirmAlways: 'Always',
    confirmNever: 'Never',
  },

  help: {
    title: 'Keys',
    keys: [
      ['Arrows', 'step through the game; on the board: move the cursor'],
      ['Enter or Space', 'place a stone at the cursor'],
      ['/', 'type a move'],
      ['u, Backspace', 'undo'],
      ['r', 'redo'],
      ['h', 'hint'],
      ['a', 'analysis on or off'],
      ['t', 'threats on or off'],
      ['m', 'move numbers on or off'],
      ['p', 'pause or resume when two computers play'],
      ['[ and ]', 'previous and next turn'],
      ['{ and }', 'to the start and to the end'],
      ['n', 'new game'],
      ['?', 'this list'],
    ],
    close: 'Close',
  },
}

export type Texts = typeof en

/** The texts in the language chosen. */
export const t: Texts = chosen(en)

/** What the stones of a side are called: discs that fall are red and yellow. */
export const colourName = (colour: Colour, discs: boolean): string =>
  t.colours[discs ? (colour === 'black' ? 'red' : 'yellow') : colour]

/** A time of the arena, which is UTC or in seconds since 1970, as people here write it. */
export const when = (utc: string | number): string =>
  new Date(typeof utc === 'number' ? utc * 1000 : `${utc.replace(' ', 'T')}Z`)
    .toLocaleString(language.locale, { dateStyle: 'medium', timeStyle: 'short' })
