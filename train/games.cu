// Games of Sextant's network against itself, played on a graphics card: one warp per game. games.py builds this
// file, evaluates the boards it asks about and writes the games down. Without a card the same source is built as
// C++ with warps of one lane, which is how it is tested; -DWARP puts 32 lanes together there (warp.h).
//
// Every game is a state machine. `step` takes the network's answer for the board the game waits for, then goes on
// until the next board: down the tree (PUCT, one stone at a time), over the end of searches, turns and games. As in
// the program (crates/engine/src/puct/selfplay.rs) one search in four is long, has noise at its root and teaches the
// policy; rows, covers and wins by threats are found before the network is asked; a game ends with a proof.
//
// Built for one game: -DW= -DH= -DK= -DP= (the first turn has one stone; more than K in a row wins, too).
#include "threats.h"

#define MOST_LOOKS 24
#define EDGES 32
#define NODES 264
#define DEPTH 48
#define TRIES 96             // Openings that are scattered until one is open,
#define MOST_TAKEN_BACK 64   // stones that it may take back while it wanders on:
#define MOST_ADVANTAGE 0.3f  // neither player may be proved to win, nor be better than this to the network,
#define ON_THE_WAY 0.5f      // on the way not much better.
#define GOES 8  // Searches, turns and leaves that one step may end before it gives the others way.

enum { NEW_GAME, ROOT, SEARCH, DONE };

struct Thought {
  int16_t value;
  uint8_t teaches, looks;
  uint16_t cell[MOST_LOOKS], weight[MOST_LOOKS];
};

struct Record {
  uint64_t number;
  uint16_t stones, opening;
  uint8_t winner;  // 0 black, 1 white, 2 nobody
  uint8_t zero[3];
  uint16_t cell[MOST_STONES];
  Thought thought[MOST_STONES];
};

struct Node {
  float value;
  int16_t edges;
  int8_t player, complete;
  float prior[EDGES], total[EDGES];
  uint16_t visits[EDGES], cell[EDGES];
  int16_t child[EDGES];
  int8_t known[EDGES];
};

struct Game {
  Board board;
  uint64_t random;
  int32_t phase, waiting, nodes, target, known, tries, is_long, drawn, restricted, length, opened;
  int32_t goal, wandered, taken_back;  // Stones of the opening; the edge of node 0 that it went last, or -1.
  uint16_t path_node[DEPTH], path_edge[DEPTH];
  uint32_t allowed[WORDS];
  Record record;
  Node node[NODES];
};

CARD uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
CARD uint64_t draw(uint64_t* random) { return mixed(*random += 0x9e3779b97f4a7c15ull); }
CARD float uniform(uint64_t bits) { return ((uint32_t)(bits >> 40) + 0.5f) / 16777216.0f; }

// A draw from the gamma distribution of this shape below one (Marsaglia and Tsang, 2000).
CARD float gamma_draw(float shape, uint64_t* random) {
  float d = shape + 1.0f - 1.0f / 3.0f, c = 1.0f / sqrtf(9.0f * d), last = powf(uniform(draw(random)), 1.0f / shape);
  for (;;) {
    float a = uniform(draw(random)), angle = 6.2831853f * uniform(draw(random));
    float normal = sqrtf(-2.0f * logf(a)) * cosf(angle), v = 1.0f + c * normal;
    v = v * v * v;
    if (v > 0 && logf(uniform(draw(random))) < 0.5f * normal * normal + d * (1.0f - v + logf(v))) return d * v * last;
  }
}

// A number for the whole warp.
CARD uint64_t draw_for(Game* g) {
  uint64_t random = g->random, drawn = draw(&random);
  SYNC();
  if (LANE == 0) g->random = random;
  SYNC();
  return drawn;
}

CARD void add_noise(Game* g, float share) {
  Node* node = &g->node[0];
  uint64_t base = draw_for(g);
  float total = 0, mine = 0;
  EACH(e, node->edges) {
    uint64_t random = mixed(base + e);
    mine = gamma_draw(10.0f / node->edges, &random);
    total += mine;
    if (LANES == 1) node->total[e] = mine;
  }
  total = sum(total);
  if (!(total > 0)) return;
  EACH(e, node->edges) {
    if (LANES == 1) mine = node->total[e], node->total[e] = 0;
    node->prior[e] += share * (mine / total - node->prior[e]);
  }
  SYNC();
}

// Fills a new node with the likeliest stones.
CARD_CALL void expand(Game* g, Desk* s, Node* node, int n, float value, const float* policy) {
  node->value = value;
  node->player = mover(n);
  uint32_t* left = s->level[0];
  clear(left);
  int count = 0;
  EACH(c, CELLS)
    if (!s->board.stone[c] && (!g->restricted || has(g->allowed, c))) add_bit(left, c), count++;
  SYNC();
  count = sum(count);
  int edges = count < EDGES ? count : EDGES;
  float best = 0, total = 0;
  for (int e = 0; e < edges; e++) {
    uint64_t key = 0;
    EACH(c, CELLS) {
      if (!has(left, c)) continue;
      union { float f; uint32_t u; } bits = {policy[c]};
      uint32_t order = bits.u >> 31 ? ~bits.u : bits.u | 0x80000000u;
      uint64_t mine = (uint64_t)order << 32 | (uint32_t)(CELLS - c);
      key = key > mine ? key : mine;
    }
    int c = CELLS - (int)(uint32_t)most(key);
    remove_bit(left, c);
    if (e == 0) best = policy[c];
    float share = expf(policy[c] - best);
    total += share;
    if (LANE == 0) {
      node->cell[e] = c, node->prior[e] = share, node->total[e] = 0;
      node->visits[e] = 0, node->child[e] = -1, node->known[e] = UNKNOWN;
    }
  }
  SYNC();
  EACH(e, edges) node->prior[e] /= total;
  if (LANE == 0) node->edges = edges, node->complete = g->restricted || count <= EDGES;
  SYNC();
}

// Ends a simulation: the value, or what is proved, for the player after `n` stones, goes up the path.
CARD void back_up(Game* g, int n, float value, int known) {
  int player = mover(n);
  for (int d = g->length - 1; d >= 0; d--) {
    Node* node = &g->node[g->path_node[d]];
    int e = g->path_edge[d], sign = node->player == player ? 1 : -1;
    if (LANE == 0) {
      node->total[e] += sign * value, node->visits[e]++;
      if (known) node->known[e] = known == DRAWN ? DRAWN : sign * known;
    }
    SYNC();
    if (known != WON && known != LOST) {
      known = UNKNOWN;
      continue;
    }
    int wins = 0, open = 0;
    EACH(i, node->edges) wins += node->known[i] == WON, open += node->known[i] != LOST;
    wins = sum(wins), open = sum(open);
    known = wins ? WON : !open && node->complete ? LOST : UNKNOWN;
    player = node->player;
    value = known ? (float)known : sign * value;
  }
  if (g->length && known) g->known = known;
}

// The edge to follow, -1 if all of them lose.
CARD int choose(const Node* node) {
  int visits = 0;
  float tried = 0, total = 0;
  EACH(e, node->edges) {
    visits += node->visits[e], total += node->total[e];
    if (node->visits[e]) tried += node->prior[e];
  }
  visits = sum(visits), tried = sum(tried), total = sum(total);
  float untried = fmaxf(-1.0f, (node->value + total) / (1 + visits) - 0.3f * sqrtf(tried));
  float spread = 1.4f * sqrtf((float)(visits + 1));
  uint64_t key = 0;
  EACH(e, node->edges) {
    if (node->known[e] == LOST) continue;
    float value = node->known[e] == WON ? 1 : node->known[e] == DRAWN ? 0
                : node->visits[e] ? node->total[e] / node->visits[e] : untried;
    union { float f; uint32_t u; } score = {4.0f + value + spread * node->prior[e] / (1 + node->visits[e])};
    uint64_t mine = (uint64_t)score.u << 32 | (uint32_t)(EDGES - e);
    key = key > mine ? key : mine;
  }
  key = most(key);
  return key ? EDGES - (int)(uint32_t)key : -1;
}

CARD void add_stone(Game* g, Desk* s, int c) {
  put(&s->board, c, mover(g->record.stones));
  SYNC();
  if (LANE == 0) g->record.cell[g->record.stones] = c, g->record.stones++;
  SYNC();
}

CARD void end_game(Game* g, int winner) {
  if (LANE == 0) g->record.winner = winner, g->phase = DONE;
  SYNC();
}

// A proved win at the root: its stone teaches, and the game is over.
CARD void write_win(Game* g, Desk* s, const Verdict* verdict) {
  int player = mover(g->record.stones), count = verdict->restricted ? size(s->allowed) : 1;
  if (LANE == 0) {
    Thought* thought = &g->record.thought[g->record.stones];
    int n = 0;
    for (int c = 0; c < CELLS && n < MOST_LOOKS; c++)
      if (verdict->restricted ? has(s->allowed, c) : c == verdict->first)
        thought->cell[n] = c, thought->weight[n++] = 65535 / count;
    thought->looks = n, thought->value = 32767, thought->teaches = 1;
  }
  add_stone(g, s, verdict->first);
  end_game(g, player);
}

// The search is over: writes down what it thought and puts its stone.
CARD_CALL void end_search(Game* g, Desk* s) {
  Node* root = &g->node[0];
  int n = g->record.stones, player = mover(n), wins = 0, open = 0, visits = 0;
  float total = 0;
  EACH(e, root->edges) {
    wins += root->known[e] == WON, total += root->total[e], visits += root->visits[e];
    open += root->known[e] != LOST;
  }
  wins = sum(wins), total = sum(total), visits = sum(visits), open = sum(open);
  int chosen = 0;
  uint64_t random = draw_for(g);
  if (LANE == 0) {
    Thought* thought = &g->record.thought[n];
    float value = g->known == WON ? 1 : g->known == LOST ? -1 : (root->value + total) / (1 + visits);
    thought->value = (int16_t)(value * 32767), thought->teaches = g->is_long || g->known;
    // Looks, the most visited first: wins, else what is not proved lost, else everything.
    uint16_t weight[EDGES];
    int all = 0;
    for (int e = 0; e < root->edges; e++) {
      bool counts = wins ? root->known[e] == WON : !open || root->known[e] != LOST;
      weight[e] = counts ? wins ? 1 : root->visits[e] : 0;
      all += weight[e];
    }
    int at = g->drawn > 0 && !g->known && all ? (int)(random % all) : -1, most_weight = 0, looks = 0;
    for (int e = 0; e < root->edges; e++) {
      if (at >= 0 && at < weight[e]) chosen = e;
      if (at >= 0) at = at < weight[e] ? -2 : at - weight[e];
      else if (at == -1 && weight[e] > most_weight) most_weight = weight[e], chosen = e;
    }
    for (; looks < MOST_LOOKS; looks++) {
      int best = 0;
      for (int e = 1; e < root->edges; e++)
        if (weight[e] > weight[best]) best = e;
      if (!weight[best]) break;
      thought->cell[looks] = root->cell[best], thought->weight[looks] = (uint64_t)weight[best] * 65535 / all;
      weight[best] = 0;
    }
    thought->looks = looks;
    g->drawn--;
  }
  chosen = first_lane(chosen);
  add_stone(g, s, root->cell[chosen]);
  if (g->known == WON || g->known == LOST) end_game(g, g->known == WON ? player : !player);
  else if (LANE == 0) g->phase = ROOT;
  SYNC();
}

// The search may begin from here.
CARD void open_game(Game* g) {
  SYNC();
  if (LANE == 0) g->record.opening = g->record.stones, g->opened = 1, g->phase = ROOT;
  SYNC();
}

CARD void scatter(Game* g, Desk* s, const Settings* how) {
  uint64_t random = g->random;
  clear_board(&s->board);
  int turns = 1 + draw(&random) % (P == 1 ? 5 : 3), span = P == 1 ? 9 : 7, stones = 1 + P * turns;
  span = span < W ? span : W;
  SYNC();
  if (LANE == 0) g->record.stones = 0;
  SYNC();
  while (g->record.stones < stones) {
    int x = (W - span) / 2 + draw(&random) % span, y = (H - span) / 2 + draw(&random) % span;
    if (!s->board.stone[y * W + x]) add_stone(g, s, y * W + x);
  }
  if (LANE == 0) {
    g->record.opening = g->record.stones, g->record.winner = 2;
    g->goal = stones + draw(&random) % (how->wander + 1), g->wandered = -1, g->taken_back = 0;
    g->random = random, g->phase = ROOT, g->drawn = 8, g->opened = 0, g->tries++;
  }
  SYNC();
}

// The opening goes on by a stone that the network likes, as in node 0; false if none is left.
CARD bool wander(Game* g, Desk* s) {
  Node* node = &g->node[0];
  uint64_t random = draw_for(g);
  int chosen = -1;
  if (LANE == 0) {
    float all = 0;
    for (int e = 0; e < node->edges; e++) all += node->prior[e];
    float at = uniform(random) * all;
    for (int e = 0; e < node->edges && at >= 0; e++)
      if (node->prior[e] > 0) chosen = e, at -= node->prior[e];
    g->wandered = chosen, g->phase = ROOT;
  }
  chosen = first_lane(chosen);
  if (chosen >= 0) add_stone(g, s, node->cell[chosen]);
  return chosen >= 0;
}

CARD bool may_reopen(const Game* g) { return g->tries < TRIES || g->wandered >= 0; }

// The opening is no good: another last stone, or another opening, or it must do without its last stone.
CARD void reopen(Game* g, Desk* s, const Settings* how) {
  int last = g->wandered, taken_back = g->taken_back + 1, n = g->record.stones - 1;
  bool scatters = g->tries < TRIES;
  SYNC();
  if (last >= 0) {
    take(&s->board, g->record.cell[n], mover(n));
    if (LANE == 0) g->record.stones = n, g->node[0].prior[last] = 0, g->taken_back = taken_back;
    SYNC();
    if (taken_back <= MOST_TAKEN_BACK && wander(g, s)) return;
  }
  if (scatters) scatter(g, s, how);
  else open_game(g);
}

CARD void ask(Game* g, Desk* s, int n, uint8_t* question) {
  int own = mover(n) + 1;
  EACH(c, CELLS) question[c] = s->board.stone[c] ? s->board.stone[c] == own ? 1 : 2 : 0;
  if (LANE == 0) question[CELLS] = P > 1 && left_of(n) == 1, g->waiting = 1;
  SYNC();
}

CARD void walk(Game* g, Desk* s, int by) {
  int n = g->record.stones;
  for (int d = 0; d < g->length; d++)
    change(&s->board, g->node[g->path_node[d]].cell[g->path_edge[d]], mover(n + d), by);
}

// The network's answer for the board that the game waits for.
CARD void absorb(Game* g, Desk* s, const Settings* how, const float* answer) {
  int n = g->record.stones + g->length;
  float value = tanhf(0.5f * answer[0]);
  if (!g->opened) {
    bool is_there = n >= g->goal, is_bad = fabsf(value) > (is_there ? MOST_ADVANTAGE : ON_THE_WAY);
    if (is_bad && may_reopen(g)) {
      reopen(g, s, how);
      return;
    }
    if (!is_there && !is_bad) {
      expand(g, s, &g->node[0], n, value, answer + 1);
      wander(g, s);
      return;
    }
    open_game(g);
  }
  int id = g->length ? g->nodes : 0;
  SYNC();
  if (LANE == 0) {
    g->nodes = id + 1;
    if (g->length) g->node[g->path_node[g->length - 1]].child[g->path_edge[g->length - 1]] = id;
    else g->phase = SEARCH, g->known = UNKNOWN;
  }
  SYNC();
  walk(g, s, 1);
  expand(g, s, &g->node[id], n, value, answer + 1);
  walk(g, s, -1);
  if (g->length) {
    back_up(g, n, value, UNKNOWN);
    return;
  }
  bool is_long = uniform(draw_for(g)) < how->long_share;
  if (LANE == 0) g->is_long = is_long, g->target = is_long ? how->visits : how->quick_visits;
  SYNC();
  if (is_long) add_noise(g, how->noise);
}

// One simulation, up to a board the network has to see; true if there is one.
CARD bool simulate(Game* g, Desk* s, const Settings* how, uint8_t* question) {
  int id = 0, n = g->record.stones, length = 0, known = UNKNOWN;
  float value = -1;
  bool asks = false;
  for (;;) {
    const Node* node = &g->node[id];
    int e = length < DEPTH ? choose(node) : -1;
    if (e < 0) break;  // Every stone loses, as far as is known.
    put(&s->board, node->cell[e], mover(n + length));
    if (LANE == 0) g->path_node[length] = id, g->path_edge[length] = e;
    length++;
    SYNC();
    known = node->known[e];
    if (known) {
      value = known == DRAWN ? 0 : node->player == mover(n + length) ? known : -known;
      known = known == DRAWN ? DRAWN : node->player == mover(n + length) ? known : -known;
      break;
    }
    id = node->child[e];
    if (id >= 0) continue;
    Verdict verdict = appraise(s, how, n + length);
    known = verdict.known;
    value = known == DRAWN ? 0 : (float)known;
    asks = !known;
    if (asks) {
      if (LANE == 0) g->restricted = verdict.restricted;
      EACH(i, WORDS) g->allowed[i] = s->allowed[i];
      SYNC();
      ask(g, s, n + length, question);
    }
    break;
  }
  SYNC();
  if (LANE == 0) g->length = length;
  SYNC();
  walk(g, s, -1);
  if (!asks) back_up(g, n + length, value, known);
  return asks;
}

CARD void step(Game* g, Desk* s, const Settings* how, const float* answer, uint8_t* question, Record* out, int room,
               int* counts) {
  EACH(i, (int)(sizeof(Board) / 4)) ((uint32_t*)&s->board)[i] = ((const uint32_t*)&g->board)[i];
  SYNC();
  if (g->waiting) {
    SYNC();
    if (LANE == 0) g->waiting = 0;
    SYNC();
    absorb(g, s, how, answer);
  }
  for (int go = 0; go < GOES; go++) {
    int phase = g->phase;
    SYNC();
    if (phase == DONE) {
      int place = first_lane(LANE == 0 ? add_one(&counts[1]) : 0);
      if (place >= room) break;
      EACH(i, (int)(sizeof(Record) / 4)) ((uint32_t*)(out + place))[i] = ((const uint32_t*)&g->record)[i];
      SYNC();
      if (LANE == 0) g->phase = NEW_GAME;
    } else if (phase == NEW_GAME) {
      if (LANE == 0) {
        g->record.number = add_one(&counts[0]);
        g->random = mixed(how->seed + g->record.number), g->tries = 0;
      }
      SYNC();
      scatter(g, s, how);
    } else if (phase == ROOT) {
      int n = g->record.stones;
      if (LANE == 0) g->length = 0;
      Verdict verdict = appraise(s, how, n);
      bool is_bad = !g->opened && (verdict.known || (verdict.restricted && g->wandered < 0));
      if (is_bad && may_reopen(g)) reopen(g, s, how);
      else if (verdict.known == WON) write_win(g, s, &verdict);
      else if (verdict.known) end_game(g, verdict.known == LOST ? !mover(n) : 2);
      else {
        if (LANE == 0) g->restricted = verdict.restricted;
        EACH(i, WORDS) g->allowed[i] = s->allowed[i];
        SYNC();
        ask(g, s, n, question);
        break;
      }
    } else {
      const Node* root = &g->node[0];
      int visits = 0, open = 0;
      EACH(e, root->edges) visits += root->visits[e], open += root->known[e] != LOST;
      visits = sum(visits), open = sum(open);
      if (visits + 1 >= g->target || g->known || !open) end_search(g, s);
      else if (simulate(g, s, how, question)) break;
    }
    SYNC();
  }
  SYNC();
  EACH(i, (int)(sizeof(Board) / 4)) ((uint32_t*)&g->board)[i] = ((const uint32_t*)&s->board)[i];
}

#ifdef __CUDACC__
#define WARPS 2
static __global__ void __launch_bounds__(32 * WARPS) step_all(Game* games, int count, Settings how, const float* answers,
                                                          uint8_t* questions, Record* out, int room, int* counts) {
  __shared__ Desk desks[WARPS];
  int at = blockIdx.x * WARPS + threadIdx.x / 32;
  if (at >= count) return;
  step(games + at, &desks[threadIdx.x / 32], &how, answers + (size_t)at * (CELLS + 1), questions + (size_t)at * (CELLS + 1),
       out, room, counts);
}
#else
struct Step {
  Game* game;
  const Settings* how;
  const float* answer;
  uint8_t* question;
  Record* out;
  int room, *counts;
};
static void one_step(void* with) {
  static Desk desk;
  Step* one = (Step*)with;
  step(one->game, &desk, one->how, one->answer, one->question, one->out, one->room, one->counts);
}
#endif

extern "C" {
int game_bytes() { return (int)sizeof(Game); }
int record_bytes() { return (int)sizeof(Record); }

// Every game takes its answer and asks its next question. `counts`: games begun, records written.
int play(void* games, int count, const Settings* how, const float* answers, uint8_t* questions, void* out, int room,
         int* counts, void* stream) {
#ifdef __CUDACC__
  step_all<<<(count + WARPS - 1) / WARPS, 32 * WARPS, 0, (cudaStream_t)stream>>>((Game*)games, count, *how, answers, questions,
                                                                           (Record*)out, room, counts);
  return (int)cudaGetLastError();
#else
  (void)stream;
  for (int i = 0; i < count; i++) {
    size_t from = (size_t)i * (CELLS + 1);
    Step with = {(Game*)games + i, how, answers + from, questions + from, (Record*)out, room, counts};
#ifdef WARP
    run_warp(one_step, &with);
#else
    one_step(&with);
#endif
  }
  return 0;
#endif
}

static uint8_t* write(uint8_t* to, const void* from, size_t bytes) {
  memcpy(to, from, bytes);
  return to + bytes;
}

static const uint64_t HASH_START = 0xcbf29ce484222325ull;

static uint64_t hash_bytes(const uint8_t* bytes, size_t count) {
  uint64_t hash = HASH_START;
  for (size_t at = 0; at < count; at++) hash = (hash ^ bytes[at]) * 0x100000001b3ull;
  return hash;
}

static uint32_t folded(const uint8_t* bytes, size_t count) {
  uint64_t hash = hash_bytes(bytes, count);
  return (uint32_t)(hash ^ hash >> 32);
}

// Records as the games of an .sxg file (crates/engine/src/fit/games.rs and records.rs); returns the bytes
// written, -1 if a record cannot be one.
int64_t pack(const void* records, int count, uint8_t* bytes) {
  uint8_t* to = bytes;
  for (const Record* r = (const Record*)records; count--; r++) {
    bool whole = r->stones <= MOST_STONES && r->opening <= r->stones && r->winner <= 2;
    for (int i = r->opening; whole && i < r->stones; i++) whole = r->thought[i].looks <= MOST_LOOKS;
    if (!whole) return -1;
    uint8_t *start = to, *body = to = to + 8;
    to = write(to, &r->number, 8);
    to = write(to, &r->stones, 2);
    to = write(to, &r->opening, 2);
    *to++ = r->winner;
    to = write(to, r->cell, 2 * r->stones);
    for (int i = r->opening; i < r->stones; i++) {
      const Thought* t = &r->thought[i];
      to = write(to, &t->value, 2);
      *to++ = t->teaches, *to++ = t->looks;
      for (int look = 0; look < t->looks; look++) to = write(write(to, &t->cell[look], 2), &t->weight[look], 2);
    }
    uint32_t length = (uint32_t)(to - body);
    uint64_t sum = hash_bytes(body, length);
    uint32_t length_sum = folded((const uint8_t*)&length, 4);
    write(write(start, &length, 4), &length_sum, 4);
    to = write(to, &sum, 8);
  }
  return to - bytes;
}

// Looks at the records of a file behind its header: bytes that are whole, how many records they are and the number
// after the highest; -1 where a record is damaged.
int64_t check(const uint8_t* bytes, int64_t length, int64_t* count, uint64_t* after) {
  int64_t at = 0;
  for (*count = 0, *after = 0; length - at >= 8; ++*count) {
    uint32_t body, sum;
    memcpy(&body, bytes + at, 4), memcpy(&sum, bytes + at + 4, 4);
    if (folded(bytes + at, 4) != sum) return -1;
    if (length - at < 16 + (int64_t)body) break;
    uint64_t found = hash_bytes(bytes + at + 8, body), known, number;
    memcpy(&known, bytes + at + 8 + body, 8);
    if (found != known || body < 8) return -1;
    memcpy(&number, bytes + at + 8, 8);
    if (number >= *after) *after = number + 1;
    at += 16 + (int64_t)body;
  }
  return at;
}

uint64_t hash(const uint8_t* bytes, int64_t count) {
  return hash_bytes(bytes, (size_t)count);
}
}
