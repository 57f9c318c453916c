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
#include <math.h>
#include <stdint.h>
#include <string.h>

#define CELLS (W * H)
#define LINES (4 * CELLS)
#define WORDS ((CELLS + 31) / 32)
#define MOST_STONES (CELLS < 240 ? CELLS : 240)
#define MOST_LOOKS 24
#define EDGES 32
#define NODES 264
#define DEPTH 48
#define LEVELS (P == 1 ? 14 : 6)   // Turns of a win by threats,
#define REPLIES (P == 1 ? 1 : 12)  // the stones that answer one,
#define CANDIDATES 64              // the stones,
#define SHORTLIST 256              // the pairs of them that are looked at in one
#define PAIRS 16                   // and those that are tried.
#define COVERED 32
#define TRIES 24             // Openings that are scattered until one is open,
#define MOST_ADVANTAGE 0.4f  // which the network must think, too.
#define GOES 8  // Searches, turns and leaves that one step may end before it gives the others way.

#ifdef __CUDACC__
#define CARD static __device__ __forceinline__
#define CARD_CALL static __device__ __noinline__
#define LANES 32
#define LANE ((int)(threadIdx.x & 31))
#define SYNC() __syncwarp()
#define ALL_LANES 0xffffffffu
CARD int sum(int v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(ALL_LANES, v, o); return v; }
CARD float sum(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(ALL_LANES, v, o); return v; }
CARD int least(int v) { for (int o = 16; o; o >>= 1) v = min(v, __shfl_xor_sync(ALL_LANES, v, o)); return v; }
CARD uint64_t most(uint64_t v) {
  for (int o = 16; o; o >>= 1) { uint64_t w = __shfl_xor_sync(ALL_LANES, (unsigned long long)v, o); v = v > w ? v : w; }
  return v;
}
CARD int first_lane(int v) { return __shfl_sync(ALL_LANES, v, 0); }
CARD void add_bit(uint32_t* set, int c) { atomicOr(set + (c >> 5), 1u << (c & 31)); }
CARD int add_one(int* count) { return atomicAdd(count, 1); }
// The places in a list of what lanes want to add to it, in the order of lanes; -1 for those that add nothing.
CARD int place_for(bool wanted, int* count) {
  uint32_t all = __ballot_sync(ALL_LANES, wanted);
  int from = *count;
  __syncwarp();
  if (LANE == 0) *count = from + __popc(all);
  __syncwarp();
  return wanted ? from + __popc(all & ((1u << LANE) - 1)) : -1;
}
#elif defined(WARP)
#include "warp.h"
#else
#define CARD static inline
#define CARD_CALL static
#define LANES 1
#define LANE 0
#define SYNC()
CARD int sum(int v) { return v; }
CARD float sum(float v) { return v; }
CARD int least(int v) { return v; }
CARD uint64_t most(uint64_t v) { return v; }
CARD int first_lane(int v) { return v; }
CARD void add_bit(uint32_t* set, int c) { set[c >> 5] |= 1u << (c & 31); }
CARD int add_one(int* count) { return (*count)++; }
CARD int place_for(bool wanted, int* count) { return wanted ? (*count)++ : -1; }
#endif
#define EACH(i, n) for (int i = LANE; i < (n); i += LANES)
// The same with all lanes in every round; those beyond the end have nothing to do.
#define TOGETHER(i, n) for (int i = LANE; i - LANE < (n); i += LANES)

// What is proved of a position, for the player to move.
enum { UNKNOWN = 0, WON = 1, LOST = -1, DRAWN = 2 };
enum { NEW_GAME, ROOT, SEARCH, DONE };

// A line is K cells in a row, by direction and first cell; its byte counts black stones in the low half, white ones
// in the high half. Lines that leave the board count as full of both.
struct Board {
  uint8_t line[(LINES + 3) / 4 * 4];
  uint8_t stone[(CELLS + 3) / 4 * 4];  // 0 empty, 1 black, 2 white
};

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
  uint16_t path_node[DEPTH], path_edge[DEPTH];
  uint32_t allowed[WORDS];
  Record record;
  Node node[NODES];
};

struct Settings {
  uint64_t seed;
  int32_t visits, quick_visits, proof, zone;  // the last two: positions of a search for a win by threats
  float long_share, noise;
};

// What a warp works with; on the card in its fast memory.
struct Desk {
  Board board;
  uint32_t allowed[WORDS], level[LEVELS][WORDS];
  uint16_t attack[LEVELS][P], reply[LEVELS][REPLIES];
  uint8_t replies[LEVELS];
  uint16_t covered[COVERED];
  int covers;
#if P > 1
  uint32_t second[LEVELS][WORDS];
  uint16_t candidate[CANDIDATES];
  uint32_t pair[LEVELS][PAIRS];
  uint32_t shortlist[SHORTLIST];
  int pairs[LEVELS], candidates, shortlisted;
#endif
};

CARD int dx(int d) { return d == 0 ? 1 : d == 1 ? 0 : d == 2 ? 1 : -1; }
CARD int dy(int d) { return d == 0 ? 0 : 1; }
CARD int stride(int d) { return dx(d) + W * dy(d); }
CARD bool inside(int x, int y) { return x >= 0 && x < W && y >= 0 && y < H; }
CARD bool has(const uint32_t* set, int c) { return set[c >> 5] >> (c & 31) & 1; }
CARD int live(int v, int player) { return player ? (v & 15 ? 0 : v >> 4) : (v < 16 ? v : 0); }

// Who puts the stone after `n` others, and how many are left of the turn with it.
CARD int mover(int n) { return P == 1 ? n & 1 : n == 0 ? 0 : ((n - 1) / P) % 2 == 0; }
CARD int left_of(int n) { return P == 1 || n == 0 ? 1 : P - (n - 1) % P; }

CARD uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
CARD uint64_t draw(uint64_t* random) { return mixed(*random += 0x9e3779b97f4a7c15ull); }
CARD float uniform(uint64_t bits) { return ((uint32_t)(bits >> 40) + 0.5f) / 16777216.0f; }

CARD void clear(uint32_t* set) {
  SYNC();
  EACH(i, WORDS) set[i] = 0;
  SYNC();
}

CARD void clear_board(Board* b) {
  SYNC();
  EACH(l, LINES) {
    int d = l / CELLS, c = l % CELLS;
    b->line[l] = inside(c % W + (K - 1) * dx(d), c / W + (K - 1) * dy(d)) ? 0 : 0x77;
  }
  EACH(c, CELLS) b->stone[c] = 0;
  SYNC();
}

CARD void change(Board* b, int c, int player, int by) {
  SYNC();
  EACH(l, 4 * K) {
    int d = l / K, i = l % K, x = c % W - i * dx(d), y = c / W - i * dy(d);
    if (inside(x, y) && inside(x + (K - 1) * dx(d), y + (K - 1) * dy(d)))
      b->line[d * CELLS + y * W + x] += player ? 16 * by : by;
  }
  if (LANE == 0) b->stone[c] = by > 0 ? player + 1 : 0;
  SYNC();
}
CARD void put(Board* b, int c, int player) { change(b, c, player, 1); }
CARD void take(Board* b, int c, int player) { change(b, c, player, -1); }

// Counts the lines where the player has `from` to `to` stones and the opponent none; their empty cells go into `set`.
CARD_CALL int lines(const Board* b, int player, int from, int to, uint32_t* set) {
  int count = 0;
  EACH(j, (LINES + 3) / 4) {
    uint32_t four = ((const uint32_t*)b->line)[j];
    for (int i = 0; i < 4 && 4 * j + i < LINES; i++) {
      int n = live(four >> 8 * i & 255, player);
      if (n < from || n > to) continue;
      count++;
      int d = (4 * j + i) / CELLS, c = (4 * j + i) % CELLS;
      if (set)
        for (int k = 0; k < K; k++, c += stride(d))
          if (!b->stone[c]) add_bit(set, c);
    }
  }
  SYNC();
  return sum(count);
}

CARD int size(const uint32_t* set) {
  int count = 0;
  EACH(c, CELLS) count += has(set, c);
  return sum(count);
}

CARD int lowest(const uint32_t* set) {
  int c = CELLS;
  EACH(i, WORDS)
    if (set[i]) {
      uint32_t word = set[i];
      int bit = 0;
      while (!(word >> bit & 1)) bit++;
      c = c < 32 * i + bit ? c : 32 * i + bit;
    }
  return least(c);
}

CARD void remove_bit(uint32_t* set, int c) {
  SYNC();
  if (LANE == 0) set[c >> 5] &= ~(1u << (c & 31));
  SYNC();
}

CARD bool contains(int line, int c) {
  int d = line / CELLS, first = line % CELLS, i = (c - first) / stride(d);
  return i >= 0 && i < K && c == first + i * stride(d) && c / W == first / W + i * dy(d);
}

#if P == 1
// The lines through a cell that lack one stone of the player's: their empty cells, the lowest and the highest, and
// whether one is full.
struct Fours { int low, high, full; };
CARD Fours fours(const Board* b, int c, int player) {
  int low = CELLS, high = -1, full = 0;
  EACH(l, 4 * K) {
    int d = l / K, i = l % K, x = c % W - i * dx(d), y = c / W - i * dy(d);
    if (!inside(x, y) || !inside(x + (K - 1) * dx(d), y + (K - 1) * dy(d))) continue;
    int n = live(b->line[d * CELLS + y * W + x], player);
    full |= n == K;
    if (n != K - 1) continue;
    int e = y * W + x;
    while (b->stone[e]) e += stride(d);
    low = low < e ? low : e;
    high = high > e ? high : e;
  }
  Fours found = {least(low), -least(-high), -least(-full)};
  return found;
}
#endif


// Puts the cells of a win into `touched`, takes its stones back and names its first one.
CARD int unwind(Desk* s, int attacker, int level, uint32_t* touched) {
  int first = s->attack[0][0];
  while (--level >= 0) {
    for (int i = 0; i < s->replies[level]; i++) take(&s->board, s->reply[level][i], !attacker);
    for (int i = 0; i < P; i++) take(&s->board, s->attack[level][i], attacker);
    if (touched && LANE == 0) {
      for (int i = 0; i < s->replies[level]; i++) add_bit(touched, s->reply[level][i]);
      for (int i = 0; i < P; i++) add_bit(touched, s->attack[level][i]);
    }
  }
  SYNC();
  return first;
}

#if P == 1
// A win by fours for the attacker, who is to move; nobody has a four yet. Returns its first stone or -1; its cells
// go into `touched`.
CARD_CALL int forces(Desk* s, int attacker, int budget, uint32_t* touched) {
  Board* b = &s->board;
  int level = 0;
  clear(s->level[0]);
  if (!lines(b, attacker, K - 2, K - 2, s->level[0])) return -1;
  for (;;) {
    int a = lowest(s->level[level]);
    if (a == CELLS) {
      if (level-- == 0) return -1;
      take(b, s->reply[level][0], !attacker);
      take(b, s->attack[level][0], attacker);
      continue;
    }
    if (budget-- <= 0) {
      unwind(s, attacker, level, nullptr);
      return -1;
    }
    remove_bit(s->level[level], a);
    put(b, a, attacker);
    Fours own = fours(b, a, attacker);
    if (LANE == 0) s->attack[level][0] = a, s->reply[level][0] = own.low, s->replies[level] = 1;
    SYNC();
    if (own.low < own.high) {
      if (touched && LANE == 0) add_bit(touched, own.high);
      put(b, own.low, !attacker);
      return unwind(s, attacker, level + 1, touched);
    }
    put(b, own.low, !attacker);
    Fours his = fours(b, own.low, !attacker);
    if (his.full || his.low < his.high || level + 1 == LEVELS) {
      take(b, own.low, !attacker);
      take(b, a, attacker);
      continue;
    }
    level++;
    clear(s->level[level]);
    lines(b, attacker, K - 2, K - 2, s->level[level]);
    if (his.low == his.high) {  // He has a four: only its last cell may go on.
      bool there = has(s->level[level], his.low);
      clear(s->level[level]);
      if (there && LANE == 0) add_bit(s->level[level], his.low);
      SYNC();
    }
  }
}
#else
// Whether two cells lie on a line that two stones more would make a threat.
CARD bool joined(const Board* b, int attacker, int one, int two) {
  int low = one < two ? one : two, high = one < two ? two : one, x = high % W - low % W, y = high / W - low / W;
  if (!(x == 0 || y == 0 || x == y || x == -y)) return false;
  int d = y == 0 ? 0 : x == 0 ? 1 : x > 0 ? 2 : 3, apart = y ? y : x;
  for (int i = 0; i + apart < K; i++) {
    int from_x = low % W - i * dx(d), from_y = low / W - i * dy(d);
    if (inside(from_x, from_y) && live(b->line[d * CELLS + from_y * W + from_x], attacker) >= K - 2 * P) return true;
  }
  return false;
}

// The opponent puts stones on every cell that stops a threat; false if there are too many.
CARD bool reply_everywhere(Desk* s, int attacker, int level) {
  clear(s->second[level]);
  lines(&s->board, attacker, K - P, K, s->second[level]);
  int n = 0;
  for (int c; n < REPLIES && (c = lowest(s->second[level])) < CELLS; n++) {
    remove_bit(s->second[level], c);
    put(&s->board, c, !attacker);
    if (LANE == 0) s->reply[level][n] = c;
  }
  SYNC();
  if (LANE == 0) s->replies[level] = n;
  SYNC();
  return lowest(s->second[level]) == CELLS;
}

CARD bool same(uint32_t rest, int e) { return (rest & 0xffff) == (uint32_t)e || rest >> 16 == (uint32_t)e; }

// Whether these rests of lines (two cells each, maybe the same one twice) have a cell in common, those with `but`
// left out.
CARD bool one_stops(const uint32_t* rests, int count, int but) {
  uint32_t first = 0;
  int low = 1, high = 1, seen = 0;
  for (int i = 0; i < count; i++) {
    if (same(rests[i], but)) continue;
    if (!seen++) first = rests[i];
    low &= same(rests[i], first & 0xffff);
    high &= same(rests[i], first >> 16);
  }
  return !seen || low || high;
}

// How many stones stop what two stones of the attacker threaten: 0 to 3, 3 for more than two.
CARD_CALL int stops(const Board* b, int attacker, int one, int two) {
  uint32_t rests[24];
  int count = 0;
  for (int l = 0; l < 8 * K && count < 24; l++) {
    int c = l < 4 * K ? one : two, d = l % (4 * K) / K, i = l % K, x = c % W - i * dx(d), y = c / W - i * dy(d);
    if (!inside(x, y) || !inside(x + (K - 1) * dx(d), y + (K - 1) * dy(d))) continue;
    int line = d * CELLS + y * W + x, v = b->line[line];
    if (attacker ? v & 15 : v >> 4) continue;
    bool both = contains(line, l < 4 * K ? two : one);
    if ((both && l >= 4 * K) || live(v, attacker) + 1 + both < K - P) continue;
    int e = y * W + x, rest[2] = {0xffff, 0xffff}, n = 0;
    for (int k = 0; k < K; k++, e += stride(d))
      if (!b->stone[e] && e != one && e != two && n < 2) rest[n++] = e;
    rests[count++] = rest[0] | (uint32_t)(n == 2 ? rest[1] : rest[0]) << 16;
  }
  if (!count) return 0;
  if (one_stops(rests, count, 0xfffe)) return 1;
  return one_stops(rests, count, rests[0] & 0xffff) || one_stops(rests, count, rests[0] >> 16) ? 2 : 3;
}

// The pairs of stones after which one stone is not enough against the threats, into the level's list. True if two
// are not enough against one of them: it is the level's attack then.
CARD_CALL bool find_pairs(Desk* s, int attacker, int level) {
  const Board* b = &s->board;
  clear(s->level[level]);
  clear(s->second[level]);
  lines(b, attacker, K - 2 * P, K, s->level[level]);   // Two stones more make a threat,
  lines(b, attacker, K - P - 1, K, s->second[level]);  // one does.
  if (LANE == 0) s->candidates = s->shortlisted = s->pairs[level] = 0;
  SYNC();
  for (int alone = 1; alone >= 0; alone--) {
    TOGETHER(c, CELLS) {
      bool wanted = c < CELLS && has(s->level[level], c) && has(s->second[level], c) == alone;
      int place = place_for(wanted, &s->candidates);
      if (wanted && place < CANDIDATES) s->candidate[place] = c;
    }
    SYNC();
  }
  int n = s->candidates < CANDIDATES ? s->candidates : CANDIDATES;
  TOGETHER(at, n * n) {
    int i = at / n, j = at % n, one = i < j && i < n ? s->candidate[i] : 0, two = i < j && i < n ? s->candidate[j] : 0;
    bool wanted = one != two && ((has(s->second[level], one) && has(s->second[level], two)) || joined(b, attacker, one, two));
    int place = place_for(wanted, &s->shortlisted);
    if (wanted && place < SHORTLIST) s->shortlist[place] = one | (uint32_t)two << 16;
  }
  SYNC();
  int count = s->shortlisted < SHORTLIST ? s->shortlisted : SHORTLIST, won = SHORTLIST;
  TOGETHER(at, count) {
    int needed = at < count ? stops(b, attacker, s->shortlist[at] & 0xffff, s->shortlist[at] >> 16) : 0;
    if (needed == 3) won = at < won ? at : won;
    int place = place_for(needed == 2, &s->pairs[level]);
    if (needed == 2 && place < PAIRS) s->pair[level][place] = s->shortlist[at];
  }
  won = least(won);
  SYNC();
  if (LANE == 0) {
    if (s->pairs[level] > PAIRS) s->pairs[level] = PAIRS;
    if (won < SHORTLIST) s->attack[level][0] = s->shortlist[won] & 0xffff, s->attack[level][1] = s->shortlist[won] >> 16;
  }
  SYNC();
  return won < SHORTLIST;
}

// A win by turns that threaten more than one stone can stop, for the attacker, who is to move; nobody threatens a
// row yet. He is believed to put stones on every cell that stops something, which is more than he may. Returns the
// first stone or -1.
CARD_CALL int forces(Desk* s, int attacker, int budget, uint32_t* touched) {
  Board* b = &s->board;
  int level = 0;
  bool is_new = true;
  for (;;) {
    if (is_new) {
      if (budget-- <= 0) {
        unwind(s, attacker, level, nullptr);
        return -1;
      }
      if (find_pairs(s, attacker, level)) {
        put(b, s->attack[level][0], attacker);
        put(b, s->attack[level][1], attacker);
        reply_everywhere(s, attacker, level);
        return unwind(s, attacker, level + 1, touched);
      }
      is_new = false;
    }
    int left = s->pairs[level];
    SYNC();
    if (left == 0 || level + 1 == LEVELS) {
      if (level-- == 0) return -1;
      for (int i = 0; i < s->replies[level]; i++) take(b, s->reply[level][i], !attacker);
      for (int i = 0; i < P; i++) take(b, s->attack[level][i], attacker);
      continue;
    }
    uint32_t pair = s->pair[level][left - 1];
    if (LANE == 0) s->pairs[level] = left - 1, s->attack[level][0] = pair & 0xffff, s->attack[level][1] = pair >> 16;
    SYNC();
    for (int i = 0; i < P; i++) put(b, s->attack[level][i], attacker);
    bool whole = reply_everywhere(s, attacker, level);
    if (!whole || lines(b, !attacker, K - P, K, nullptr)) {
      for (int i = 0; i < s->replies[level]; i++) take(b, s->reply[level][i], !attacker);
      for (int i = 0; i < P; i++) take(b, s->attack[level][i], attacker);
      continue;
    }
    level++;
    is_new = true;
  }
}
#endif

// The cells that stop everything the opponent threatens, together with the stones that are left after: into `allowed`.
// Returns whether there is a threat at all.
CARD_CALL bool covers(Desk* s, int player, int left) {
  const Board* b = &s->board;
  clear(s->level[0]);
  clear(s->allowed);
  if (!lines(b, !player, K - P, K, s->level[0])) return false;
  if (LANE == 0) s->covers = 0;
  SYNC();
  TOGETHER(l, LINES) {
    bool wanted = l < LINES && live(b->line[l], !player) >= K - P;
    int place = place_for(wanted, &s->covers);
    if (wanted && place < COVERED) s->covered[place] = l;
  }
  SYNC();
  int n = s->covers < COVERED ? s->covers : COVERED;
  EACH(c, CELLS) {
    if (!has(s->level[0], c)) continue;
    int open = -1, i = 0;
    for (; i < n && open < 0; i++)
      if (!contains(s->covered[i], c)) open = s->covered[i];
    bool stops_all = open < 0;
    if (!stops_all && left > 1) {
      int e = open % CELLS;
      for (int k = 0; k < K && !stops_all; k++, e += stride(open / CELLS)) {
        if (b->stone[e]) continue;
        stops_all = true;
        for (int j = 0; j < n && stops_all; j++) stops_all = contains(s->covered[j], c) || contains(s->covered[j], e);
      }
    }
    if (stops_all) add_bit(s->allowed, c);
  }
  SYNC();
  return true;
}

// What threats say of the position on the desk: WON with a first stone, LOST, or UNKNOWN; then the cells to try are
// in `allowed` where `restricted` is set.
struct Verdict { int known, first, restricted; };
CARD_CALL Verdict appraise(Desk* s, const Settings* how, int n) {
  Board* b = &s->board;
  int player = mover(n), left = left_of(n);
  Verdict verdict = {UNKNOWN, -1, 0};
  if (n >= MOST_STONES) return verdict.known = DRAWN, verdict;
  clear(s->allowed);
  if (lines(b, player, K - left, K, s->allowed)) {
    verdict.known = WON, verdict.first = lowest(s->allowed), verdict.restricted = 1;
    return verdict;
  }
  if (covers(s, player, left)) {
    verdict.restricted = 1;
    if (lowest(s->allowed) == CELLS) verdict.known = LOST;
    return verdict;
  }
  if (left < P) return verdict;
  verdict.first = forces(s, player, how->proof, nullptr);
  if (verdict.first >= 0) return verdict.known = WON, verdict;
  clear(s->allowed);
  if (forces(s, !player, how->zone, s->allowed) >= 0) {
    // A stone must be in the way or build something of its own.
    lines(b, player, 2, K, s->allowed);
    verdict.restricted = 1;
  }
  return verdict;
}

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

CARD void scatter(Game* g, Desk* s) {
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
    g->random = random, g->phase = ROOT, g->drawn = 8, g->opened = 0, g->tries++;
  }
  SYNC();
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
  if (!g->opened && fabsf(value) > MOST_ADVANTAGE && g->tries < TRIES) {
    scatter(g, s);
    return;
  }
  int id = g->length ? g->nodes : 0;
  SYNC();
  if (LANE == 0) {
    g->opened = 1, g->nodes = id + 1;
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
      scatter(g, s);
    } else if (phase == ROOT) {
      int n = g->record.stones;
      if (LANE == 0) g->length = 0;
      Verdict verdict = appraise(s, how, n);
      if (!g->opened && g->tries < TRIES && (verdict.known || verdict.restricted)) scatter(g, s);
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

// Records as the games of an .sxv file (crates/engine/src/fit/searched.rs); returns the bytes written,
// -1 if a record cannot be one.
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
    uint64_t hash = 0xcbf29ce484222325ull;
    for (uint8_t* at = body; at < to; at++) hash = (hash ^ *at) * 0x100000001b3ull;
    uint32_t folded = (uint32_t)(hash ^ hash >> 32);
    write(write(start, &length, 4), &folded, 4);
  }
  return to - bytes;
}
}
