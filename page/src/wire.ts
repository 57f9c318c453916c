// Generated from crates/room/src/wire: do not edit.
// COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-room --test wire_is_current

export type AgentInfo = { 
/**
 * The name in specs.
 */
name: string, 
/**
 * One line.
 */
summary: string, 
/**
 * Where its idea comes from.
 */
source: string, 
/**
 * What can be set.
 */
options: Array<OptionInfo>, };

export type AnsweredView = { 
/**
 * Who had asked.
 */
by: Colour, 
/**
 * For what.
 */
wish: Wish, 
/**
 * Whether it was granted.
 */
yes: boolean, };

export type ArenaLimits = { 
/**
 * Games at the same time.
 */
atOnce: number, 
/**
 * Whether this page may give commands names as engines.
 */
engines: boolean, };

export type AskedView = { 
/**
 * Who asks.
 */
by: Colour, 
/**
 * For what.
 */
wish: Wish, };

export type BoardView = { 
/**
 * The node shown.
 */
node: number, 
/**
 * The stones played up to here.
 */
moves: Array<number>, 
/**
 * Their colours: `b` or `w` each.
 */
colours: string, 
/**
 * Whose turn it is.
 */
toMove: Colour, 
/**
 * Stones left of the turn.
 */
stonesLeft: number, 
/**
 * Stones of a full turn at this point.
 */
turnStones: number, 
/**
 * The end of the game, when it has ended at this node.
 */
ending: Ending | null, 
/**
 * The winning rows.
 */
rows: Array<Array<number>>, 
/**
 * The cells that Renju forbids to Black, who is to move.
 */
forbidden: Array<number>, 
/**
 * Whether the game goes on from here; false while one looks back.
 */
live: boolean, 
/**
 * The opening in which the players settle who plays Black.
 */
opening: OpeningView | null, 
/**
 * Whether agents are held back.
 */
paused: boolean, 
/**
 * The least time between turns of agents.
 */
paceMs: number, 
/**
 * The clocks, when there are any.
 */
clock: ClockView | null, 
/**
 * Why an agent played the turn that ends here, in a sentence.
 */
why: string | null, 
/**
 * The game and its moves for the address.
 */
link: string, 
/**
 * Whether there is anything to take back, or an earlier position to step to.
 */
canUndo: boolean, 
/**
 * Whether there is anything to play again, or a later position to step to.
 */
canRedo: boolean, };

export type BookTurn = { 
/**
 * Its stones.
 */
cells: Array<number>, 
/**
 * Games that went this way.
 */
games: number, 
/**
 * Points a game for the player to move, a tie counting half.
 */
score: number, };

export type BookView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * The turns seen, most games first.
 */
turns: Array<BookTurn>, };

export type ChainStep = { 
/**
 * Whose it is.
 */
colour: Colour, 
/**
 * Its cells from end to end.
 */
cells: Array<string>, 
/**
 * Discs in it.
 */
discs: number, 
/**
 * Their number squared.
 */
points: number, };

export type ChatLine = { 
/**
 * Who said it.
 */
name: string, 
/**
 * The words.
 */
text: string, };

export type ClockView = { 
/**
 * Milliseconds left for Black and for White.
 */
leftMs: [number, number], 
/**
 * Whose clock runs.
 */
running: Colour | null, };

export type CoachDeed = { "type": "level", 
/**
 * How much.
 */
level: CoachLevel, } | { "type": "keep" } | { "type": "threats" };

export type CoachLevel = "off" | "losses" | "mistakes" | "inaccuracies";

export type CoachSays = { "type": "nothing" } | { "type": "looking" } | { "type": "warns", 
/**
 * What is wrong with it.
 */
warning: CoachWarning, } | { "type": "takenBack", 
/**
 * What was wrong with it.
 */
warning: CoachWarning, };

export type CoachView = { 
/**
 * How much he says.
 */
level: CoachLevel, 
/**
 * What he says now.
 */
says: CoachSays, };

export type CoachWarning = { 
/**
 * The node that the turn leads to.
 */
node: number, 
/**
 * Whose turn.
 */
colour: Colour, 
/**
 * Its stones.
 */
turn: Array<number>, 
/**
 * How good it was.
 */
grade: TurnGrade, 
/**
 * What kind of mistake.
 */
kind: MistakeKind, 
/**
 * What the player had before it.
 */
had: Outlook, 
/**
 * What is left.
 */
got: Outlook, 
/**
 * How the opponent answers.
 */
answer: Array<number>, 
/**
 * What that does, in words; may be empty.
 */
why: string, 
/**
 * A better turn.
 */
better: Array<number>, 
/**
 * What that does, in words; may be empty.
 */
reason: string, };

export type Colour = "black" | "white";

export type ColumnScore = { "type": "full" } | { "type": "unknown" } | { "type": "score", 
/**
 * 0 a draw; n > 0 a win with n own stones left to place, −n a loss the same way.
 */
score: number, 
/**
 * Stones until the game ends, this one included.
 */
stones: number, };

export type ColumnSearch = { 
/**
 * The columns that were looked at, from left to right.
 */
columns: Array<ColumnStep>, 
/**
 * The move.
 */
cell: string, 
/**
 * Its value for the player to move.
 */
value: number, 
/**
 * Moves looked at.
 */
nodes: number, 
/**
 * Boards of which replies were left out.
 */
cuts: number, };

export type ColumnStep = { 
/**
 * Where its disc comes to lie.
 */
cell: string, 
/**
 * Its value for the player to move.
 */
value: number, 
/**
 * Whether it may be worth less.
 */
atMost: boolean, 
/**
 * The ply of the win or loss that the value stands for.
 */
decidedOn: number | null, };

export type ColumnsView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * For each column what a stone there is worth to the player to move.
 */
columns: Array<ColumnScore>, 
/**
 * Whether all columns are known.
 */
done: boolean, 
/**
 * Searches that run before this one gets its turn.
 */
waiting: number, };

export type DangerView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * Whose threats.
 */
colour: Colour, 
/**
 * How he would win if it were his turn; empty where nothing was found.
 */
turn: Array<number>, 
/**
 * In how many own turns; 0 where nothing was found.
 */
turns: number, 
/**
 * What that turn does, in words; may be empty.
 */
why: string, 
/**
 * His windows, shapes, and what stops them.
 */
side: ThreatSide, };

export type DefenceStep = { 
/**
 * Its stones.
 */
stones: Array<string>, 
/**
 * How the win goes on; none where the tree is cut off.
 */
answer: ProofStep | null, };

export type DepthStep = { 
/**
 * Plies ahead.
 */
depth: number, 
/**
 * The move in hand if time ended here.
 */
cell: string, 
/**
 * Its value for the player to move.
 */
value: number, 
/**
 * The ply of the win or loss that the value stands for.
 */
decidedOn: number | null, 
/**
 * Moves looked at by this iteration.
 */
nodes: number, 
/**
 * Moves looked at so far.
 */
nodesSoFar: number, };

export type Ending = { 
/**
 * Who won; none for a draw.
 */
winner: Colour | null, 
/**
 * Why, by the name it has everywhere: `row`, `full-board`, `resignation`, …
 */
reason: EndReason, 
/**
 * What happened, in words: the last words of an agent that crashed.
 */
detail: string | null, };

export type EngineLine = { 
/**
 * What it is worth, seen from Black.
 */
worth: Worth, 
/**
 * Black's chance to win, 0 to 1.
 */
chance: number, 
/**
 * The stones.
 */
cells: Array<number>, };

export type ExplainAsked = { "idea": "windows", 
/**
 * `X` a black stone, `O` a white one, `.` an empty tile.
 */
line: string, 
/**
 * Cells in a row that win.
 */
k: number, 
/**
 * Stones per turn.
 */
p: number, 
/**
 * Whose threats.
 */
colour: Colour, 
/**
 * Whether every empty tile of a threat is marked, not only the last one.
 */
markAll: boolean, } | { "idea": "threats", 
/**
 * The line.
 */
line: string, 
/**
 * Cells in a row that win.
 */
k: number, 
/**
 * Stones per turn.
 */
p: number, } | { "idea": "promotions", 
/**
 * `X` a stone, `.` an empty cell.
 */
shape: string, 
/**
 * Cells in a row that win.
 */
k: number, 
/**
 * Stones per turn.
 */
p: number, } | { "idea": "minimax", 
/**
 * The rules: `3x3,k=3`.
 */
game: string, 
/**
 * Stones played so far: `b1 a1 c1`.
 */
moves: string, 
/**
 * Plies to look ahead.
 */
plies: number, 
/**
 * Whether alpha-beta leaves out what cannot matter.
 */
prune: boolean, } | { "idea": "steps", 
/**
 * The rules: `connect4`.
 */
game: string, 
/**
 * Stones played so far.
 */
moves: string, 
/**
 * Plies to look ahead.
 */
plies: number, } | { "idea": "proof", 
/**
 * The rules.
 */
game: string, 
/**
 * Stones played so far.
 */
moves: string, };

export type Explained = { "idea": "windows", 
/**
 * The line.
 */
line: string, 
/**
 * Cells of a window.
 */
k: number, 
/**
 * Stones that make a window a threat.
 */
enough: number, 
/**
 * The windows in order.
 */
steps: Array<WindowStep>, } | { "idea": "threats", 
/**
 * The line.
 */
line: string, 
/**
 * Cells of a window.
 */
k: number, 
/**
 * The tiles in order.
 */
tiles: Array<TileStep>, } | { "idea": "promotions", 
/**
 * The shape.
 */
shape: string, 
/**
 * Its type: `L3`.
 */
kind: string, 
/**
 * Its empty cells, from left to right.
 */
cells: Array<PromotionStep>, } | { "idea": "minimax", 
/**
 * The board as the tree begins: a text for each row, the top one first.
 */
board: Array<string>, 
/**
 * Who is to move.
 */
toMove: Colour, 
/**
 * The value of the best move.
 */
value: number, 
/**
 * Moves looked at.
 */
nodes: number, 
/**
 * Moves that alpha-beta left out.
 */
leftOut: number, 
/**
 * The moves of the root, in order.
 */
moves: Array<TreeStep>, } | { "idea": "steps", 
/**
 * The board, as above.
 */
board: Array<string>, 
/**
 * What each step makes of it.
 */
told: ProgramSteps, } | { "idea": "proof", 
/**
 * The board as the proof begins, as above.
 */
board: Array<string>, 
/**
 * Who wins.
 */
winner: Colour, 
/**
 * In at most this many own turns.
 */
turns: number, 
/**
 * The first turn.
 */
first: ProofStep, 
/**
 * Defences that are answered and not shown.
 */
leftOut: number, } | { "idea": "problem", 
/**
 * For the person.
 */
text: string, };

export type FillingView = { 
/**
 * Who wins; nobody when the board fills up.
 */
winner: Colour | null, 
/**
 * With which threat.
 */
cell: number | null, 
/**
 * Whether the loser has to play below it.
 */
zugzwang: boolean, 
/**
 * The number of the last stone.
 */
stones: number, 
/**
 * Whether no other threat can arise.
 */
certain: boolean, };

export type FormCheck = { 
/**
 * The rules, when they are valid.
 */
rules: RulesView | null, 
/**
 * Why they are not.
 */
problem: string | null, 
/**
 * Names of the agents that play this game.
 */
agents: Array<string>, 
/**
 * Opponents from weak to strong.
 */
levels: Array<Level>, 
/**
 * Whether the players may settle who plays Black by an opening rule.
 */
openings: boolean, };

export type FormatInfo = { 
/**
 * The name to ask for it.
 */
name: string, 
/**
 * The ending of its files.
 */
extension: string, };

export type Fouls = "none" | "refused" | "lose";

export type FriendDeed = { "type": "sit", 
/**
 * Whose stones; before the colours are settled Black stands for who puts the first stones.
 */
colour: Colour, 
/**
 * What to be called.
 */
name: string, 
/**
 * The clock agreed to: the one that the page showed.
 */
clock: Timing, } | { "type": "stand" } | { "type": "ask", 
/**
 * What.
 */
wish: Wish, } | { "type": "answer", 
/**
 * Whether it is granted.
 */
yes: boolean, } | { "type": "withdraw" } | { "type": "say", 
/**
 * What.
 */
text: string, } | { "type": "quiet" };

export type FriendSeat = { 
/**
 * What they are called.
 */
name: string, 
/**
 * Whether they are connected.
 */
here: boolean, 
/**
 * Whether they have agreed to the clock of the game.
 */
agrees: boolean, };

export type FriendsView = { 
/**
 * Black's player and White's.
 */
seats: [FriendSeat | null, FriendSeat | null], 
/**
 * Where the page's own player sits; nowhere when it watches.
 */
you: Colour | null, 
/**
 * How many watch.
 */
watching: number, 
/**
 * Whether both sit and have agreed on the clock: stones may be placed.
 */
agreed: boolean, 
/**
 * Whether the game is over: it may be looked through, and played again.
 */
over: boolean, 
/**
 * What one has asked and the other has not answered.
 */
asked: AskedView | null, 
/**
 * What was answered last, until something else happens.
 */
answered: AnsweredView | null, 
/**
 * What was said, when the chat is on.
 */
chat: Array<ChatLine> | null, };

export type GameInfo = { 
/**
 * `event`, `black`, …
 */
key: string, 
/**
 * Its text.
 */
value: string, };

export type GameView = { 
/**
 * The name under which it is stored.
 */
id: string, 
/**
 * Its rules.
 */
rules: RulesView, 
/**
 * Black's seat and White's.
 */
seats: [Seat, Seat], 
/**
 * How time is kept.
 */
timing: Timing, 
/**
 * Stones on the board before the first move.
 */
setup: [Array<number>, Array<number>], 
/**
 * Who makes the first move.
 */
firstToMove: Colour, 
/**
 * With how many stones.
 */
firstStones: number, 
/**
 * What is known from a record: event, players, date.
 */
info: Array<GameInfo>, 
/**
 * What one could play against instead.
 */
levels: Array<Level>, 
/**
 * The agent that analyses this game and gives hints, if there is one.
 */
analyst: string | null, 
/**
 * The record formats that can hold this game.
 */
formats: Array<FormatInfo>, 
/**
 * What can be shown on its board besides the stones.
 */
overlays: Array<Overlay>, 
/**
 * The game of a run that this is a replay of.
 */
replay: ReplayView | null, 
/**
 * The puzzle to be solved.
 */
puzzle: PuzzleInfo | null, };

export type Invitation = { 
/**
 * Whether the page is of the server's owner, who can leave the room for the rest of the program.
 */
owner: boolean, 
/**
 * Addresses of the room that other machines can open; the owner alone is told.
 */
links: Array<InviteLink>, };

export type InviteLink = { 
/**
 * The address.
 */
url: string, 
/**
 * The side of its QR code in modules, without the margin.
 */
size: number, 
/**
 * The dark modules as the path of an SVG, a unit for each module.
 */
path: string, };

export type Level = { 
/**
 * `Level 3`.
 */
label: string, 
/**
 * `Casual`.
 */
name: string, 
/**
 * The agent it stands for.
 */
spec: string, 
/**
 * Elo above the first level, where it was measured.
 */
elo: number | null, };

export type LiveBoard = { 
/**
 * Its number in the run.
 */
number: number, 
/**
 * Who has Black.
 */
black: string, 
/**
 * Who has White.
 */
white: string, 
/**
 * Columns and rows.
 */
size: [number, number], 
/**
 * Whether stones fall.
 */
gravity: boolean, 
/**
 * Black's stones and White's.
 */
cells: [Array<number>, Array<number>], 
/**
 * The last stone.
 */
last: number | null, };

export type LookStep = { 
/**
 * Its first tile.
 */
first: number, 
/**
 * Whose it is.
 */
colour: Colour, 
/**
 * Stones of that player in it.
 */
stones: number, };

export type MatchFormat = "round-robin" | "gauntlet" | "swiss";

export type MeetingView = { 
/**
 * The two.
 */
players: [string, string], 
/**
 * Their points.
 */
points: [number, number], 
/**
 * Games played so far.
 */
games: number, };

export type MistakeKind = "missedRow" | "missedWin" | "leftRow" | "madeRow" | "leftThreat" | "letWin" | "worse";

export type NamedShape = { 
/**
 * What it is called.
 */
shape: ShapeName, 
/**
 * Its stones, in the order of the line.
 */
stones: Array<number>, 
/**
 * The cells by which it becomes the next stronger shape.
 */
keys: Array<number>, };

export type NewEngine = { 
/**
 * Its name: lower-case letters, digits and dashes.
 */
name: string, 
/**
 * What it speaks.
 */
protocol: string, 
/**
 * The command line.
 */
command: string, 
/**
 * The folder it runs in; empty for that of the server.
 */
folder: string, 
/**
 * Lines it is told after the greeting, with semicolons between them.
 */
init: string, };

export type NewGame = { 
/**
 * The numbers.
 */
rules: RulesForm, 
/**
 * Black's seat.
 */
black: Seat, 
/**
 * White's seat.
 */
white: Seat, 
/**
 * How time is kept.
 */
timing: Timing, 
/**
 * How the players settle who plays Black; then `black` is who puts the first stones.
 */
openingRule?: OpeningRule | null, };

export type NewMatch = { 
/**
 * The numbers.
 */
rules: RulesForm, 
/**
 * Who plays, `name:key=value`: two or more.
 */
players: Array<string>, 
/**
 * Who meets whom.
 */
format: MatchFormat, 
/**
 * Games of each two who meet.
 */
games: number, 
/**
 * Rounds of a Swiss tournament; enough for one unbeaten player unless given.
 */
rounds?: number | null, 
/**
 * What everybody may spend: `100ms` per turn, `nodes=1000`, `clock=60s+1s`.
 */
limits: string, 
/**
 * Where games start: `empty`, `random:2`, `balanced`, or an opening per line.
 */
openings: string, 
/**
 * How the players settle who plays Black.
 */
openingRule?: OpeningRule | null, 
/**
 * Seed for all random choices; any unless given.
 */
seed?: number | null, 
/**
 * Games at the same time.
 */
atOnce: number, };

export type NewSetup = { 
/**
 * The numbers.
 */
rules: RulesForm, 
/**
 * Black's stones.
 */
black: Array<number>, 
/**
 * White's stones.
 */
white: Array<number>, 
/**
 * Whose turn it is.
 */
toMove: Colour, 
/**
 * Stones left of that turn.
 */
stonesLeft: number, };

export type NodeView = { 
/**
 * Names the node as long as it is in the tree.
 */
id: number, 
/**
 * The node before; none for the root, which has no stone.
 */
parent: number | null, 
/**
 * Where the stone lies; none for the root.
 */
cell: number | null, 
/**
 * A comment.
 */
comment: string, 
/**
 * Black's chance to win after the stone, where a search has told it.
 */
chance: number | null, };

export type OpeningChoice = "black" | "white" | "twoStones";

export type OpeningDeed = { 
/**
 * The name of who did it.
 */
who: string, 
/**
 * The choice; none where stones were put.
 */
choice: OpeningChoice | null, 
/**
 * Stones on the board afterwards.
 */
stones: number, 
/**
 * Black's chance as an agent saw it.
 */
chance: number | null, };

export type OpeningEntry = { 
/**
 * What it is called.
 */
opening: OpeningNamed, 
/**
 * Its stones.
 */
cells: Array<number>, };

export type OpeningNamed = { 
/**
 * `D4`
 */
code: string, 
/**
 * `Kagetsu`
 */
name: string, 
/**
 * `花月`
 */
japanese: string, };

export type OpeningResults = { 
/**
 * Black won.
 */
black: number, 
/**
 * Nobody did.
 */
drawn: number, 
/**
 * White won.
 */
white: number, };

export type OpeningRule = "swap1" | "swap" | "swap2";

export type OpeningSide = "opener" | "chooser";

export type OpeningStep = { "type": "place", 
/**
 * Who puts them.
 */
side: OpeningSide, 
/**
 * How many.
 */
stones: number, } | { "type": "choose", 
/**
 * Who takes it.
 */
side: OpeningSide, 
/**
 * Whether two stones may be put instead.
 */
twoStones: boolean, };

export type OpeningStone = { 
/**
 * Where.
 */
cell: number, 
/**
 * Whose.
 */
colour: Colour, };

export type OpeningTurn = { 
/**
 * Its stones.
 */
cells: Array<number>, 
/**
 * What came of the games through the position it leads to.
 */
results: OpeningResults, 
/**
 * What the opening is called then, if it has a name.
 */
opening: OpeningNamed | null, };

export type OpeningView = { 
/**
 * The rule.
 */
rule: OpeningRule, 
/**
 * What is to be done; none when the colours are settled.
 */
step: OpeningStep | null, 
/**
 * What was done.
 */
deeds: Array<OpeningDeed>, };

export type OpeningsView = { 
/**
 * The rules.
 */
rules: RulesView, 
/**
 * The stones, in order of play, those that were set up first.
 */
stones: Array<OpeningStone>, 
/**
 * Who is to move.
 */
toMove: Colour, 
/**
 * Stones left of the turn.
 */
stonesLeft: number, 
/**
 * Stones of the whole turn.
 */
turnStones: number, 
/**
 * Whether the game is over.
 */
over: boolean, 
/**
 * What the opening is called, if it has a name.
 */
opening: OpeningNamed | null, 
/**
 * Games of the source, wherever they went.
 */
games: number, 
/**
 * What came of those that reached the position.
 */
results: OpeningResults, 
/**
 * The turns they took, most games first.
 */
turns: Array<OpeningTurn>, 
/**
 * On an empty board: the named openings of the game.
 */
names: Array<OpeningEntry>, };

export type OptionInfo = { 
/**
 * The key in specs.
 */
name: string, 
/**
 * One line.
 */
help: string, 
/**
 * Type, range, default.
 */
kind: OptionKind, };

export type OptionKind = { "type": "int", 
/**
 * Smallest.
 */
min: number, 
/**
 * Largest.
 */
max: number, 
/**
 * Unless given.
 */
default: number, } | { "type": "float", 
/**
 * Smallest.
 */
min: number, 
/**
 * Largest.
 */
max: number, 
/**
 * Unless given.
 */
default: number, } | { "type": "bool", 
/**
 * Unless given.
 */
default: boolean, } | { "type": "choice", 
/**
 * The words.
 */
values: Array<string>, 
/**
 * Unless given.
 */
default: string, } | { "type": "text", 
/**
 * Unless given.
 */
default: string, };

export type Outlook = { "type": "chance", 
/**
 * To win, 0 to 1.
 */
chance: number, } | { "type": "win", 
/**
 * In this many own turns.
 */
turns: number, } | { "type": "loss", 
/**
 * In this many turns of the opponent.
 */
turns: number, } | { "type": "draw" };

export type Overlay = "threats" | "columns" | "book" | "shapes" | "policy" | "parity";

export type ParityThreat = { 
/**
 * Where.
 */
cell: number, 
/**
 * Whose row.
 */
colour: Colour, 
/**
 * Whether its row, counted from 1, is odd.
 */
odd: boolean, 
/**
 * Whether its row is one of the owner's.
 */
serves: boolean, };

export type ParityView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * Who gets the top row and every second one below it when the columns are filled in pairs.
 */
answers: Colour, 
/**
 * The open threats, column by column from the bottom.
 */
threats: Array<ParityThreat>, 
/**
 * How it ends if no other threat arises.
 */
filling: FillingView | null, 
/**
 * What is proved of the score for the player to move: not less, and not more.
 */
bounds: [number, number] | null, };

export type PolicyCell = { 
/**
 * The cell.
 */
cell: number, 
/**
 * Its share of 1.
 */
share: number, };

export type PolicyView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * Black's chance to win, 0 to 1.
 */
chance: number, 
/**
 * Where it would place the next stone, the likeliest cell first; the unlikely ones are left out.
 */
cells: Array<PolicyCell>, };

export type PresetInfo = { 
/**
 * `connect6`.
 */
name: string, 
/**
 * Its rules.
 */
rules: RulesView, };

export type ProgramSteps = { 
/**
 * Who is to move.
 */
toMove: Colour, 
/**
 * Plies looked ahead.
 */
plies: number, 
/**
 * Every move is looked at; undecided boards are worth nothing.
 */
minimax: ColumnSearch, 
/**
 * Moves that cannot change the result are left out.
 */
alphaBeta: ColumnSearch, 
/**
 * The same depth by depth.
 */
deepening: Array<DepthStep>, 
/**
 * The chains that count, the player's to move first.
 */
chains: Array<ChainStep>, 
/**
 * Runs with discs that are shorter than a row.
 */
tooShort: number, 
/**
 * Points of the player to move, and of the opponent.
 */
points: [number, number], 
/**
 * Alpha-beta where undecided boards are worth their chains.
 */
withChains: ColumnSearch, 
/**
 * What a win is worth on ply 1, 2 and so on.
 */
wins: Array<number>, 
/**
 * Empty columns with empty neighbours only.
 */
leftOut: Array<RemoteStep>, 
/**
 * Whether all columns are such: then all are looked at.
 */
allRemote: boolean, 
/**
 * The search without them on the first ply.
 */
firstPly: ColumnSearch, 
/**
 * All steps together, depth by depth.
 */
whole: Array<DepthStep>, };

export type PromotionStep = { 
/**
 * The cell, from the left.
 */
place: number, 
/**
 * The shape with the stone.
 */
becomes: string, 
/**
 * Its type.
 */
kind: string, 
/**
 * Whether that is a promotion.
 */
promotes: boolean, 
/**
 * The type of the cell itself.
 */
cellKind: string, };

export type ProofStep = { 
/**
 * Its stones.
 */
stones: Array<string>, 
/**
 * What it leads to.
 */
then: ProofThen, 
/**
 * The defences.
 */
defences: Array<DefenceStep>, };

export type ProofThen = "row" | "tooMany" | "defences";

export type Purpose = "turn" | "hint" | "analysis" | "review" | "coach" | "practice";

export type PuzzleInfo = { 
/**
 * Its name in the set.
 */
id: string, 
/**
 * Its game.
 */
rules: RulesView, 
/**
 * `Black wins in 3`.
 */
goal: string, 
/**
 * Own turns to the row, at most.
 */
turns: number, 
/**
 * Who is to win, or to hold.
 */
colour: Colour, 
/**
 * Whether a turn is asked for after which the opponent's win is gone.
 */
hold: boolean, };

export type PuzzleProgress = "going" | "solved" | "wrong";

export type PuzzleWords = { "type": "solved" } | { "type": "right", 
/**
 * Own turns to go.
 */
turns: number, } | { "type": "slipped" } | { "type": "look", 
/**
 * Them.
 */
cells: Array<number>, } | { "type": "try", 
/**
 * Where.
 */
cell: number, 
/**
 * `h8: four-three, wins in 4 (VCF)`, where the game's players have words for it.
 */
why: string | null, } | { "type": "lost" } | { "type": "late" };

export type RemoteStep = { 
/**
 * Its name.
 */
column: string, 
/**
 * The names of its neighbours.
 */
neighbours: Array<string>, };

export type ReplayView = { 
/**
 * The run.
 */
run: string, 
/**
 * The game's number in it.
 */
number: number, };

export type ReportFile = { 
/**
 * Its name in the folder.
 */
name: string, 
/**
 * What it shows.
 */
caption: string, };

export type ReportInfo = { 
/**
 * Its folder; the files are at `/reports/NAME/FILE`.
 */
name: string, 
/**
 * A headline.
 */
title: string, 
/**
 * What was asked, or what was played.
 */
question: string, 
/**
 * The command that makes it again.
 */
command: string, 
/**
 * When it was made, in seconds since 1970.
 */
made: number, 
/**
 * What it consists of.
 */
files: Array<ReportFile>, };

export type ReviewView = { 
/**
 * How hard it was looked at, from 1 to 3.
 */
effort: number, 
/**
 * How Black and White played.
 */
sides: [SideReview, SideReview], 
/**
 * Every turn of the line.
 */
turns: Array<TurnReview>, 
/**
 * The node after the turn at which most was lost, if that was a mistake at least.
 */
turningPoint: number | null, 
/**
 * The node after the turn from which on the winner had a forced win and never lost it.
 */
wonFrom: number | null, };

export type RulesForm = { 
/**
 * Columns.
 */
width: number, 
/**
 * Rows.
 */
height: number, 
/**
 * Stones in a row that win.
 */
k: number, 
/**
 * Stones a turn.
 */
p: number, 
/**
 * Stones of the first turn.
 */
q: number, 
/**
 * Whether stones fall.
 */
gravity: boolean, 
/**
 * Whether only rows of exactly `k` win.
 */
exact: boolean, 
/**
 * What becomes of stones that Renju forbids to Black.
 */
fouls?: Fouls, };

export type RulesView = { 
/**
 * Columns.
 */
width: number, 
/**
 * Rows.
 */
height: number, 
/**
 * Stones in a row that win.
 */
k: number, 
/**
 * Stones a turn.
 */
p: number, 
/**
 * Stones of the first turn.
 */
q: number, 
/**
 * Whether stones fall.
 */
gravity: boolean, 
/**
 * Whether only rows of exactly `k` win.
 */
exact: boolean, 
/**
 * What becomes of stones that Renju forbids to Black.
 */
fouls: Fouls, 
/**
 * The short name: `connect6`, or the long form of an own game.
 */
name: string, };

export type RunGame = { 
/**
 * Its number in the run.
 */
number: number, 
/**
 * Who had Black.
 */
black: string, 
/**
 * Who had White.
 */
white: string, 
/**
 * `black`, `white` or `draw`.
 */
result: string, 
/**
 * What ended it.
 */
ending: EndReason, };

export type RunInfo = { 
/**
 * Its name in the file of results.
 */
id: string, 
/**
 * For people: `match`, or an experiment's name.
 */
name: string, 
/**
 * When it began, in UTC.
 */
started: string, 
/**
 * The game.
 */
rules: string, 
/**
 * Who plays.
 */
labels: Array<string>, 
/**
 * Games so far.
 */
games: number, 
/**
 * Games it is to have, where that is known.
 */
planned: number | null, 
/**
 * Whether nothing more is to be expected.
 */
finished: boolean, 
/**
 * Whether this server plays it now.
 */
playing: boolean, };

export type RunPlayer = { 
/**
 * Its name.
 */
label: string, 
/**
 * Games won, drawn and lost.
 */
tally: [number, number, number], 
/**
 * Points a game.
 */
score: number, 
/**
 * The 95 % interval of the score.
 */
interval: [number, number], 
/**
 * Elo above the mean of all players.
 */
elo: number, 
/**
 * Half the width of its 95 % interval.
 */
error: number, 
/**
 * Milliseconds a turn.
 */
msATurn: number, };

export type RunPoint = { 
/**
 * Games played.
 */
games: number, 
/**
 * Points a game of each player so far, in the order of `players`; none before its first.
 */
scores: Array<number | null>, };

export type RunScore = { 
/**
 * A win counts 1, a draw ½.
 */
points: number, 
/**
 * Games.
 */
games: number, };

export type RunView = { 
/**
 * What the list says of it.
 */
run: RunInfo, 
/**
 * Best rating first.
 */
players: Array<RunPlayer>, 
/**
 * Points and games of each player against each, in the order of `players`.
 */
crosstable: Array<Array<RunScore>>, 
/**
 * All games, seen by whoever moved first.
 */
firstMover: RunScore, 
/**
 * How often each reason ended a game.
 */
endings: Array<[EndReason, number]>, 
/**
 * The score of each player after this many games, for a plot.
 */
history: Array<RunPoint>, 
/**
 * The latest games.
 */
games: Array<RunGame>, 
/**
 * Of a Swiss tournament: its rounds.
 */
swiss: SwissView | null, };

export type SearchView = { 
/**
 * What it is for.
 */
purpose: Purpose, 
/**
 * The node whose position is searched.
 */
node: number, 
/**
 * The agent.
 */
agent: string, 
/**
 * Searches that run before this one gets its turn; 0 when it runs.
 */
waiting: number, 
/**
 * Whether it has ended.
 */
done: boolean, 
/**
 * Depth reached.
 */
depth: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * Milliseconds so far.
 */
ms: number, 
/**
 * Best first.
 */
lines: Array<EngineLine>, 
/**
 * Anything else worth a sentence.
 */
note: string | null, 
/**
 * The stones of a finished hint.
 */
turn: Array<number>, 
/**
 * The hint in words.
 */
words: string | null, 
/**
 * Why the search failed.
 */
problem: string | null, };

export type Seat = { "type": "person" } | { "type": "agent", 
/**
 * `name:key=value`.
 */
spec: string, 
/**
 * What to call it; the spec unless a level was chosen.
 */
label: string, };

export type ShapeLine = { 
/**
 * Whose.
 */
colour: Colour, 
/**
 * `→`, `↑`, `↗` or `↘`.
 */
direction: string, 
/**
 * Its cells.
 */
cells: Array<number>, 
/**
 * The stones on it: `.XX.X.`
 */
drawing: string, 
/**
 * Its type: `L3`.
 */
kind: string, 
/**
 * What a stone on the cell would make of it; none where one lies.
 */
becomes: string | null, };

export type ShapeName = "brokenThree" | "openThree" | "brokenFour" | "four" | "straightFour" | "five";

export type ShapesView = { 
/**
 * The cell.
 */
cell: number, 
/**
 * Its node, as positions change.
 */
node: number, 
/**
 * One entry for each line and colour that has a connection there.
 */
lines: Array<ShapeLine>, };

export type SideReview = { 
/**
 * How much of its chances it kept, 0 to 100.
 */
accuracy: number, 
/**
 * Turns clearly worse than the best.
 */
inaccuracies: number, 
/**
 * Turns that cost a good part of the chances.
 */
mistakes: number, 
/**
 * Turns that turned the game.
 */
blunders: number, 
/**
 * Proved wins that were there and are gone.
 */
missedWins: number, };

export type StoredGame = { 
/**
 * Its name in the store.
 */
id: string, 
/**
 * The game: `connect6`.
 */
rules: string, 
/**
 * Who plays: `Person – sequences`.
 */
title: string, 
/**
 * Black's name.
 */
black: string, 
/**
 * White's name.
 */
white: string, 
/**
 * Stones on the line shown.
 */
stones: number, 
/**
 * Whether it has ended.
 */
finished: boolean, 
/**
 * How, when it has.
 */
ending: Ending | null, 
/**
 * Columns and rows.
 */
size: [number, number], 
/**
 * The stones of Black and of White in the position shown.
 */
cells: [Array<number>, Array<number>], 
/**
 * Whether somebody wrote comments: then it is never dropped.
 */
commented: boolean, 
/**
 * The secret of its room's link, if it is played by one.
 */
room: string | null, 
/**
 * Seconds since 1970 of the last change.
 */
updated: number, };

export type SwissPlaceView = { 
/**
 * Who.
 */
label: string, 
/**
 * Points; a bye counts as if every game had been won.
 */
points: number, 
/**
 * The points of the opponents, added up.
 */
buchholz: number, 
/**
 * Rounds without an opponent.
 */
byes: number, };

export type SwissRoundView = { 
/**
 * Who met whom.
 */
meetings: Array<MeetingView>, 
/**
 * Who had no opponent.
 */
bye: string | null, };

export type SwissView = { 
/**
 * The table, best first.
 */
places: Array<SwissPlaceView>, 
/**
 * The rounds so far, that under way included.
 */
rounds: Array<SwissRoundView>, };

export type ThreatSide = { 
/**
 * The least number of stones that stop everything; one more than a turn has means: too many.
 */
exact: number, 
/**
 * Whether counting was given up: `exact` is then only a lower bound.
 */
atLeast: boolean, 
/**
 * Whether no turn stops it.
 */
unstoppable: boolean, 
/**
 * Whether the side is to move and wins with this turn.
 */
winsNow: boolean, 
/**
 * The windows from which one turn wins: first and last cell, and the empty ones.
 */
windows: Array<ThreatWindow>, 
/**
 * The smallest sets of cells that stop everything.
 */
defences: Array<Array<number>>, 
/**
 * With five in a row: its threes that can become straight fours, its fours and its five,
 * strongest first.
 */
named: Array<NamedShape>, };

export type ThreatWindow = { 
/**
 * Its first cell.
 */
from: number, 
/**
 * Its last cell.
 */
to: number, 
/**
 * Its empty cells.
 */
empty: Array<number>, };

export type ThreatsView = { 
/**
 * The node whose position it is.
 */
node: number, 
/**
 * Of Black and of White.
 */
sides: [ThreatSide, ThreatSide], };

export type TileStep = { 
/**
 * The window found looking forward, and backward.
 */
looks: [LookStep | null, LookStep | null], 
/**
 * The values that count, the larger first.
 */
values: [number | null, number | null], };

export type Timing = { "type": "turn", 
/**
 * Milliseconds.
 */
ms: number, } | { "type": "clock", 
/**
 * Milliseconds at the start.
 */
startMs: number, 
/**
 * Milliseconds added after each turn.
 */
incrementMs: number, };

export type ToArena = { "type": "runs" } | { "type": "run", 
/**
 * Which.
 */
id: string, 
/**
 * What the page knows of it.
 */
known?: RunInfo, } | { "type": "replay", 
/**
 * The run.
 */
run: string, 
/**
 * The game's number.
 */
number: number, } | { "type": "startMatch", 
/**
 * Who plays what.
 */
match: NewMatch, } | { "type": "live", 
/**
 * The run.
 */
run: string, } | { "type": "stopMatch", 
/**
 * The run.
 */
run: string, } | { "type": "pauseMatch", 
/**
 * The run.
 */
run: string, } | { "type": "resumeMatch", 
/**
 * The run.
 */
run: string, } | { "type": "addEngine", 
/**
 * What is run.
 */
engine: NewEngine, };

export type ToGame = { "type": "puzzleHint" } | { "type": "play", 
/**
 * Stones before this one.
 */
ply: number, 
/**
 * Where.
 */
cell: number, } | { "type": "type", 
/**
 * Stones before the first of these.
 */
ply: number, 
/**
 * The text.
 */
text: string, } | { "type": "choose", 
/**
 * What.
 */
choice: OpeningChoice, } | { "type": "retract" } | { "type": "undo" } | { "type": "redo" } | { "type": "resign" } | { "type": "goto", 
/**
 * Its node.
 */
node: number, } | { "type": "continue" } | { "type": "pause", 
/**
 * Whether to hold.
 */
paused: boolean, } | { "type": "pace", 
/**
 * Milliseconds.
 */
ms: number, } | { "type": "hint" } | { "type": "balance", 
/**
 * One, or two: an own one and the answer.
 */
stones: number, } | { "type": "analyse", 
/**
 * On or off.
 */
on: boolean, 
/**
 * How many lines.
 */
lines: number, } | { "type": "overlays", 
/**
 * What is shown from now on.
 */
shown: Array<Overlay>, } | { "type": "shapes", 
/**
 * The cell.
 */
cell: number, } | { "type": "review", 
/**
 * Start or stop.
 */
on: boolean, 
/**
 * How hard each position is looked at, from 1 to 3; 1 unless given.
 */
effort?: number, } | { "type": "win", 
/**
 * Where it begins.
 */
node: number, 
/**
 * Who is to win.
 */
winner: Colour, 
/**
 * The stones played since.
 */
stones: Array<number>, } | { "type": "coach", 
/**
 * What.
 */
deed: CoachDeed, } | { "type": "try", 
/**
 * The node before the mistake.
 */
node: number, 
/**
 * The stones.
 */
stones: Array<number>, } | { "type": "export", 
/**
 * The name of the format.
 */
format: string, 
/**
 * Whether to write what the last review found into it, as comments and variations.
 */
review?: boolean, } | { "type": "comment", 
/**
 * The move.
 */
node: number, 
/**
 * The text.
 */
text: string, } | { "type": "prune", 
/**
 * The move.
 */
node: number, } | { "type": "restore" } | { "type": "promote", 
/**
 * The move.
 */
node: number, } | { "type": "friend", 
/**
 * What.
 */
deed: FriendDeed, } | { "type": "sync", 
/**
 * Comes back with the answer.
 */
number: number, };

export type ToLobby = { "type": "open", 
/**
 * A stored game.
 */
id?: string, 
/**
 * A game and its moves as they stand in the address: `connect6/j10.k11`.
 */
link?: string, } | { "type": "new", 
/**
 * Who plays what.
 */
game: NewGame, } | { "type": "invite", 
/**
 * What is played; the seats are for people.
 */
game: NewGame, } | { "type": "setup", 
/**
 * The stones.
 */
setup: NewSetup, 
/**
 * Whether it is to be solved: it must have a proved win.
 */
puzzle?: boolean, } | { "type": "import", 
/**
 * The text of the file; of a `RenLib` file, a character for each byte.
 */
text: string, 
/**
 * Which of its games.
 */
index?: number, 
/**
 * The game on the board: moves that do not name theirs are read in it.
 */
game?: string, } | { "type": "puzzle", 
/**
 * Which: the name of a shipped one, or the link of a position with a proved win.
 */
id: string, } | { "type": "puzzles" } | { "type": "findPuzzles", 
/**
 * Which game.
 */
id: string, } | { "type": "explain", 
/**
 * Which.
 */
asked: ExplainAsked, } | { "type": "openings", 
/**
 * The position, as it stands in an address: `renju/h8.h9`.
 */
link: string, 
/**
 * A list of games; without it the server's own book.
 */
games?: string, } | { "type": "ownOpenings", 
/**
 * The name of what is played.
 */
game: string, } | { "type": "glance", 
/**
 * The position.
 */
link: string, } | { "type": "check", 
/**
 * The numbers of the form.
 */
form: RulesForm, } | { "type": "games" } | { "type": "forget", 
/**
 * Which.
 */
id: string, } | { "type": "remember", 
/**
 * Which.
 */
id: string, } | { "type": "backup" } | { "type": "restoreBackup", 
/**
 * The text of the file, or of a part of it.
 */
text: string, } | { "type": "settings", 
/**
 * The text.
 */
text: string, };

export type ToPage = { "type": "hello", 
/**
 * Version of the program.
 */
version: string, 
/**
 * The games with a name.
 */
presets: Array<PresetInfo>, 
/**
 * All agents.
 */
agents: Array<AgentInfo>, 
/**
 * The page's settings as it stored them last.
 */
settings: string | null, 
/**
 * What there is to know for a page that came by the link of a room.
 */
invitation: Invitation | null, } | { "type": "invited", 
/**
 * The secret of the room's link.
 */
room: string, } | { "type": "game", 
/**
 * The game.
 */
game: GameView, } | { "type": "seats", 
/**
 * Black's seat and White's.
 */
seats: [Seat, Seat], 
/**
 * What is known from a record, the players' names among it.
 */
info: Array<GameInfo>, } | { "type": "friends", 
/**
 * The room.
 */
friends: FriendsView, } | { "type": "tree", 
/**
 * The first index that changes.
 */
from: number, 
/**
 * The nodes from there.
 */
nodes: Array<NodeView>, } | { "type": "board", 
/**
 * The position.
 */
board: BoardView, } | { "type": "search", 
/**
 * The search.
 */
search: SearchView, } | { "type": "checked", 
/**
 * The numbers that were asked about.
 */
form: RulesForm, 
/**
 * What was found.
 */
check: FormCheck, } | { "type": "explained", 
/**
 * What was asked.
 */
asked: ExplainAsked, 
/**
 * Its steps.
 */
explained: Explained, } | { "type": "openings", 
/**
 * The position that was asked about.
 */
link: string, 
/**
 * How games went on.
 */
openings: OpeningsView, } | { "type": "ownOpenings", 
/**
 * The name of what is played.
 */
game: string, 
/**
 * The games, a line for each.
 */
text: string, 
/**
 * How many they are.
 */
count: number, 
/**
 * Games in the server's book.
 */
book: number, } | { "type": "glanced", 
/**
 * The position that was asked about.
 */
link: string, 
/**
 * What the network thinks; nothing where it has not learned the game.
 */
policy: PolicyView | null, } | { "type": "threats", 
/**
 * The threats.
 */
threats: ThreatsView, } | { "type": "columns", 
/**
 * The scores.
 */
columns: ColumnsView, } | { "type": "book", 
/**
 * The statistics.
 */
book: BookView, } | { "type": "policy", 
/**
 * What it thinks.
 */
policy: PolicyView, } | { "type": "parity", 
/**
 * The threats.
 */
parity: ParityView, } | { "type": "shapes", 
/**
 * The shapes.
 */
shapes: ShapesView, } | { "type": "win", 
/**
 * How it goes on.
 */
win: WinView, } | { "type": "coach", 
/**
 * The coach.
 */
coach: CoachView, } | { "type": "danger", 
/**
 * The threats.
 */
danger: DangerView, } | { "type": "tried", 
/**
 * What came of it.
 */
tried: TriedView, } | { "type": "reviewed", 
/**
 * Positions evaluated.
 */
done: number, 
/**
 * Positions to evaluate.
 */
of: number, } | { "type": "review", 
/**
 * The review.
 */
review: ReviewView, } | { "type": "choices", 
/**
 * One line for each.
 */
titles: Array<string>, } | { "type": "exported", 
/**
 * A file name.
 */
name: string, 
/**
 * The record.
 */
text: string, 
/**
 * What the format leaves out.
 */
losses: Array<string>, } | { "type": "runs", 
/**
 * Latest first.
 */
runs: Array<RunInfo>, 
/**
 * What was made of them, latest first.
 */
reports: Array<ReportInfo>, 
/**
 * What this page may ask for.
 */
limits: ArenaLimits, } | { "type": "run", 
/**
 * The run.
 */
view: RunView, } | { "type": "puzzles", 
/**
 * All of them.
 */
puzzles: Array<PuzzleInfo>, } | { "type": "foundPuzzles", 
/**
 * The stored game.
 */
id: string, 
/**
 * The name of what was played.
 */
game: string, 
/**
 * The puzzles as the lines of a set, not rated.
 */
lines: Array<string>, } | { "type": "puzzleState", 
/**
 * How it stands.
 */
state: PuzzleProgress, 
/**
 * For the person.
 */
words: PuzzleWords, } | { "type": "matchStarted", 
/**
 * Its run.
 */
run: string, } | { "type": "live", 
/**
 * The run.
 */
run: string, 
/**
 * By number.
 */
boards: Array<LiveBoard>, } | { "type": "engineAdded", 
/**
 * Its name.
 */
name: string, 
/**
 * Everybody who can be chosen now.
 */
agents: Array<AgentInfo>, } | { "type": "stored", 
/**
 * All of them, newest first.
 */
games: Array<StoredGame>, 
/**
 * How many without comments are kept; the oldest make room.
 */
limit: number, } | { "type": "synced", 
/**
 * The number of the question.
 */
number: number, } | { "type": "restored", 
/**
 * Games that were not there before.
 */
games: number, 
/**
 * The settings that are kept now, if the file had any.
 */
settings: string | null, } | { "type": "refused", 
/**
 * Why, and what to do.
 */
text: string, };

export type ToServer = ToLobby | ToArena | ToGame;

export type TreeStep = { 
/**
 * Where.
 */
cell: string, 
/**
 * Who plays it.
 */
colour: Colour, 
/**
 * Its place in the order in which moves were looked at.
 */
order: number, 
/**
 * What it is worth to its player; after a cut a bound, which is at most this.
 */
value: number, 
/**
 * Whether replies were left out.
 */
cut: boolean, 
/**
 * Whether it is a best one of its siblings: each of equals, with alpha-beta the first alone.
 */
best: boolean, 
/**
 * The replies.
 */
replies: Array<TreeStep>, };

export type TriedView = { 
/**
 * The node before the mistake.
 */
node: number, 
/**
 * The stones that were tried.
 */
stones: Array<number>, 
/**
 * Whether they are a right answer; none where nobody was done in time.
 */
right: boolean | null, 
/**
 * How good they are.
 */
grade: TurnGrade, 
/**
 * What they leave their player.
 */
got: Outlook, 
/**
 * How the opponent answers.
 */
answer: Array<number>, 
/**
 * What that does, in words; may be empty.
 */
why: string, };

export type TurnGrade = "good" | "inaccuracy" | "mistake" | "blunder";

export type TurnReview = { 
/**
 * The node of its last stone.
 */
node: number, 
/**
 * The node before its first stone.
 */
before: number, 
/**
 * Whose turn.
 */
colour: Colour, 
/**
 * Black's chance before it.
 */
chanceBefore: number, 
/**
 * Black's chance after it.
 */
chanceAfter: number, 
/**
 * How good it was.
 */
grade: TurnGrade, 
/**
 * Whether a proved win was there and is gone.
 */
missedWin: boolean, 
/**
 * Whether the player had a proved win before it.
 */
winBefore: boolean, 
/**
 * Whether the opponent has a proved win after it.
 */
lossAfter: boolean, 
/**
 * What kind of mistake it was, if it was one.
 */
kind: MistakeKind | null, 
/**
 * The turn that was preferred.
 */
better: Array<number>, 
/**
 * What that turn does, in words; may be empty.
 */
reason: string, 
/**
 * The line expected after it, its own stones included.
 */
line: Array<number>, 
/**
 * What the player had before it.
 */
had: Outlook, 
/**
 * What was left of it.
 */
got: Outlook, };

export type WinBranch = { 
/**
 * Turns before it.
 */
depth: number, 
/**
 * Whose.
 */
colour: Colour, 
/**
 * Its stones.
 */
cells: Array<number>, };

export type WinDefence = { 
/**
 * Its stones.
 */
cells: Array<number>, 
/**
 * The winner's turns after it, at most; none where that is not known.
 */
turns: number | null, };

export type WinSource = "proof" | "solver" | "search";

export type WinView = { 
/**
 * The node where it begins.
 */
node: number, 
/**
 * Who wins.
 */
winner: Colour, 
/**
 * The stones played since, the winner's own among them.
 */
stones: Array<number>, 
/**
 * The winner's turn that follows; empty where the loser begins.
 */
answer: Array<number>, 
/**
 * The winner's turns to the row, the answer included, at most; 0 where no win is proved.
 */
turns: number, 
/**
 * The rows that the answer completes.
 */
rows: Array<Array<number>>, 
/**
 * What the loser may try then, the longest resistance first.
 */
defences: Array<WinDefence>, 
/**
 * Where the answer comes from; none where no win is proved.
 */
source: WinSource | null, 
/**
 * The whole proof as a tree, parents before children, if it is short.
 */
tree: Array<WinBranch>, };

export type WindowSeen = "opposing" | "tooFew" | "marked" | "threat";

export type WindowStep = { 
/**
 * Its first tile.
 */
first: number, 
/**
 * Stones of the player who threatens.
 */
stones: number, 
/**
 * What the counter makes of it.
 */
seen: WindowSeen, 
/**
 * The tiles it marks.
 */
marked: Array<number>, 
/**
 * Threats counted so far, this window included.
 */
threats: number, };

export type Wish = { "type": "clock", 
/**
 * How time is to be kept.
 */
timing: Timing, } | { "type": "takeBack" } | { "type": "rematch" } | { "type": "chat" };

export type Worth = { "type": "chance" } | { "type": "win", 
/**
 * Of whom.
 */
winner: Colour, 
/**
 * In this many of the winner's turns.
 */
turns: number, } | { "type": "draw" };

/** Why a game ended. */
export type EndReason = 'row' | 'full-board' | 'forbidden' | 'dead-draw' | 'move-limit' | 'resignation' | 'agreement' | 'adjudicated' | 'illegal-turn' | 'time-forfeit' | 'crash' | 'agent-error' | 'disconnect' | 'silence' | 'misread' | 'forfeit' | 'unstated' | 'called-off';

/** After these the board shows another position: until they are answered it shows an old one. */
export const CHANGES_BOARD: ReadonlySet<ToServer['type']> = new Set(['open', 'new', 'setup', 'import', 'puzzle', 'replay', 'type', 'choose', 'retract', 'undo', 'redo', 'goto', 'continue', 'prune', 'restore', 'promote']);

/** These are told of the game on the board: between two games, perhaps of the one that is gone. */
export const OF_A_GAME: ReadonlySet<ToPage['type']> = new Set(['seats', 'friends', 'tree', 'board', 'search', 'threats', 'columns', 'book', 'policy', 'shapes', 'parity', 'reviewed', 'review', 'win', 'coach', 'danger', 'tried']);
