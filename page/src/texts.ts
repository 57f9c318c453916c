/** Every text of the page, in one place. */

import type { BoardView, Colour, Ending, GameView, RulesForm, RulesView, Seat } from './wire.ts'

const colourNames: Record<Colour, string> = { black: 'Black', white: 'White' }

const gameNames: Record<string, string> = {
  connect6: 'Connect6',
  connect4: 'Connect Four',
  gomoku: 'Gomoku',
  'gomoku-standard': 'Gomoku, exactly five',
  tictactoe: 'Tic-tac-toe',
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const inWords = (n: number) => numberWords[n] ?? String(n)

export const t = {
  title: 'Collinear',
  colour: (colour: Colour) => colourNames[colour],
  gameName: (name: string) => gameNames[name] ?? name.replace('x', '×').replaceAll(',', ', '),
  gameTitle: (name: string) => gameNames[name] ?? 'Own game',
  person: 'Person',
  seat: (seat: Seat) => (seat.type === 'person' ? 'Person' : seat.label),

  rulesParts: (rules: RulesView | RulesForm): string[] => {
    const parts = [
      `${rules.exact ? 'exactly ' : ''}${inWords(rules.k)} in a row`,
      `${rules.width}×${rules.height}`,
    ]
    if (rules.gravity) parts.push('stones fall')
    if (rules.p > 1 || rules.q > 1) {
      parts.push(`${inWords(rules.p)} stone${rules.p === 1 ? '' : 's'} a turn, ${inWords(rules.q)} in the first`)
    }
    return parts
  },
  rulesLine: (rules: RulesView | RulesForm): string => t.rulesParts(rules).join(' · '),

  status: {
    connecting: 'Connecting…',
    lost: 'The server is gone. The page tries to reach it again; your game is safe on disk.',
    yourTurn: 'Your turn',
    toMove: (colour: Colour) => `${colourNames[colour]} to move`,
    stoneOf: (at: number, of: number) => `stone ${at} of ${of}`,
    thinking: (name: string) => `${name} is thinking…`,
    waiting: (ahead: number) =>
      `waiting for a free processor, ${ahead} search${ahead === 1 ? '' : 'es'} ahead`,
    dropped: (cell: string) => `No stone could be placed at ${cell}: the position has changed.`,
    paused: 'Paused',
    lookingBack: 'Looking back',
    over: (ending: Ending, game: GameView) => {
      if (!ending.winner) return 'Draw: the board is full'
      const winner = colourNames[ending.winner]
      const loser = colourNames[ending.winner === 'black' ? 'white' : 'black']
      switch (ending.reason) {
        case 'row':
          return `${winner} wins with ${inWords(game.rules.k)} in a row`
        case 'resigned':
          return `${loser} resigned: ${winner} wins`
        case 'time':
          return `${loser}'s time ran out: ${winner} wins`
        case 'full':
          return `${winner} wins`
      }
    },
    youWin: 'You win!',
    youLose: 'You lose.',
  },

  announce: {
    stone: (colour: Colour, cell: string) => `${colourNames[colour]} ${cell}`,
  },

  board: {
    label: (rules: RulesView) => `Board, ${rules.width} by ${rules.height}`,
    empty: (cell: string) => `${cell}, empty`,
    stone: (cell: string, colour: Colour, number: number) =>
      `${cell}, ${colourNames[colour].toLowerCase()}${number ? `, stone ${number}` : ''}`,
    place: 'Place the stone',
    placeAt: (cell: string) => `Place at ${cell}`,
  },

  nav: {
    newGame: 'New game',
    games: 'My games',
    arena: 'Arena',
    board: 'Board',
    settings: 'Settings',
    help: 'Keys',
    theme: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  },

  controls: {
    hint: 'Hint',
    undo: 'Undo',
    retract: 'Take stone back',
    resign: 'Resign',
    resignSure: 'Really resign?',
    pause: 'Pause',
    resume: 'Go on',
    speed: 'Pause between turns',
    goOn: 'Play on from here',
    rematch: 'Play again',
    typed: 'Type a move',
    typedExample: (rules: RulesView) => (rules.gravity ? 'd or 4' : rules.width > 9 ? 'j10' : 'b2'),
    hintIs: (cells: string) => `Hint: ${cells}`,
  },

  moves: {
    tab: 'Moves',
    first: 'To the start',
    back: 'Back',
    forward: 'Forward',
    last: 'To the end',
    none: 'No stone yet. Click the board to place the first.',
    comment: 'Comment on this move',
    promote: 'Make this the main line',
    prune: 'Delete from here on',
    start: 'Start',
  },

  analysis: {
    tab: 'Analysis',
    on: 'Analyse this position',
    off: 'Stop',
    lines: 'Lines',
    by: (name: string) => `by ${name}`,
    depth: (depth: number) => `depth ${depth}`,
    nodes: (nodes: number) =>
      nodes >= 1e6 ? `${(nodes / 1e6).toFixed(1)} M positions`
      : nodes >= 1e3 ? `${(nodes / 1e3).toFixed(0)} k positions`
      : `${nodes} positions`,
    winIn: (colour: Colour, turns: number) =>
      `${colourNames[colour]} wins in ${turns} turn${turns === 1 ? '' : 's'}`,
    winShort: (colour: Colour, turns: number) => `${colourNames[colour]} in ${turns}`,
    draw: 'draw',
    over: 'The game is over here.',
    none: 'No agent can analyse this game.',
    chance: (chance: number) => `Black ${Math.round(chance * 100)} %`,
    graph: 'Evaluation over the game',
    graphHelp: 'Black\'s chance to win after each turn; click to go there',
    review: 'Evaluate the whole game',
    stopReview: 'Stop',
    reviewing: (done: number, of: number) => `${done} of ${of} turns`,
    mistakes: { slip: 'inaccuracy', mistake: 'mistake', blunder: 'blunder' },
    noGraph: 'No turn has been evaluated yet.',
  },

  overlays: {
    title: 'On the board',
    threats: 'Threats',
    columns: 'Exact column scores',
    shapes: 'Line shapes under the pointer',
    nothing: (colour: Colour) => `${colourNames[colour]} threatens nothing.`,
    winsNow: (colour: Colour) => `${colourNames[colour]} wins with this turn.`,
    unstoppable: (colour: Colour) => `${colourNames[colour]}'s threats cannot be stopped by one turn.`,
    stop: (colour: Colour, exact: number, defences: string) =>
      `${colourNames[colour]} threatens: ${inWords(exact)} stone${exact === 1 ? '' : 's'} needed to stop it, ${defences}.`,
    or: ' or ',
    columnsHelp: 'Positive: the player to move wins, and larger is sooner. 0 is a draw.',
    columnsBusy: 'The solver is at work…',
    book: 'Book statistics',
    bookEmpty: 'No game of the book went through this position.',
    bookTurn: (games: number, score: number) => `${games} game${games === 1 ? '' : 's'}, ${Math.round(score * 100)} %`,
    point: 'Point at a cell to see the shapes of its lines.',
    becomes: (kind: string) => `a stone here makes it ${kind}`,
    noShapes: 'No stone on the lines through this cell.',
  },

  record: {
    tab: 'Record',
    copyLink: 'Copy link',
    copied: 'The link is copied: whoever runs Collinear can open it.',
    share: 'Share',
    export: 'Save as',
    save: 'Save',
    import: 'Open a record',
    importHelp: 'SGF, PSQ, CCGC, Pons strings, move lists, CSV or JSONL: choose a file, drop it anywhere on the page, or paste its text.',
    file: 'Choose a file',
    paste: 'Text of a record',
    open: 'Open',
    tooLarge: 'This file is larger than 1 MB: convert or split it with `collinear convert`.',
    choose: 'The record has several games',
    png: 'PNG',
    svg: 'SVG',
    picture: 'Picture',
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
      jsonl: 'JSON lines',
    } as Record<string, string>,
    info: 'About this game',
  },

  arena: {
    title: 'Arena',
    none: 'No match or tournament has been played on this machine yet. Try, for example:',
    example: 'collinear match sextant:level=3 sextant:level=2 --games 20',
    reports: 'Reports',
    runs: 'Matches and tournaments',
    run: 'Run',
    game: 'Game',
    players: 'Players',
    started: 'Started',
    games: (n: number) => `${n} game${n === 1 ? '' : 's'}`,
    gamesOf: (n: number, of: number) => `${n} of ${of} games`,
    progress: 'Games',
    files: 'Files',
    again: 'Made by',
    made: (when: string) => `Made ${when}.`,
    whole: 'The whole report',
    back: 'Everything in the arena',
    standings: 'Standings',
    player: 'Player',
    score: 'Score',
    elo: 'Elo',
    tally: 'Won, drawn, lost',
    time: 'ms a turn',
    crosstable: 'Who scored how much against whom',
    history: 'Score over the games',
    endings: 'Endings',
    first: (points: number, games: number) =>
      `Whoever moved first scored ${points} of ${games} (${games ? Math.round((100 * points) / games) : 50} %).`,
    replay: 'Games',
    watch: 'Look at it',
    live: 'New games appear as they end.',
    result: (result: string) =>
      result === 'draw' ? '½ : ½' : result === 'black' ? '1 : 0' : '0 : 1',
  },

  newGame: {
    title: 'New game',
    own: 'Own game',
    ownLine: 'choose the numbers yourself',
    width: 'Columns',
    height: 'Rows',
    k: 'In a row',
    p: 'Stones a turn',
    q: 'In the first turn',
    gravity: 'Stones fall',
    exact: 'Longer rows do not count',
    black: 'Black, moves first',
    white: 'White',
    strength: 'Strength',
    agents: 'Agents',
    options: 'Options',
    swap: 'Swap sides',
    time: 'Time',
    turnTime: 'No clock; agents think at most',
    clock: 'Clocks',
    seconds: 'seconds',
    minutes: 'minutes each',
    increment: 'seconds added a turn',
    play: 'Play',
    cancel: 'Cancel',
  },

  games: {
    title: 'My games',
    none: 'No game is stored yet.',
    stones: (n: number) => `${n} stone${n === 1 ? '' : 's'}`,
    finished: 'finished',
    running: 'unfinished',
    open: 'Open',
    forget: 'Delete',
  },

  settings: {
    title: 'Settings',
    theme: 'Colours',
    coordinates: 'Show coordinates',
    numbers: 'Show move numbers',
    confirm: 'Confirm a tap',
    confirmAuto: 'where cells are small',
    confirmAlways: 'always',
    confirmNever: 'never',
  },

  help: {
    title: 'Keys',
    keys: [
      ['Arrows', 'move the cursor on the board; elsewhere: back and forward'],
      ['Enter or Space', 'place a stone at the cursor'],
      ['/', 'type a move'],
      ['u', 'undo'],
      ['Backspace', 'take back the first stones of a turn'],
      ['h', 'hint'],
      ['a', 'analysis on or off'],
      ['t', 'threats on or off'],
      ['m', 'move numbers on or off'],
      ['p', 'pause or go on, when agents play'],
      ['[ and ]', 'back and forward'],
      ['{ and }', 'to the start and to the end'],
      ['n', 'new game'],
      ['?', 'this list'],
    ] as const,
    close: 'Close',
  },
}

/** The word for who is to move, for a game that may have persons and agents. */
export function turnText(game: GameView, board: BoardView, toMove: Colour): string {
  const persons = game.seats.filter((seat) => seat.type === 'person').length
  const seat = game.seats[toMove === 'black' ? 0 : 1]
  if (!board.live) return t.status.toMove(toMove)
  return persons === 1 && seat.type === 'person' ? t.status.yourTurn : t.status.toMove(toMove)
}
