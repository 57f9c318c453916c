// The board of a game, and what threats say of it: rows, covers, wins by threats. Every function is called by all
// lanes of a warp together.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define CELLS (W * H)
#define LINES (4 * CELLS)
#define WORDS ((CELLS + 31) / 32)
#define MOST_STONES (CELLS < 240 ? CELLS : 240)
#define LEVELS (P == 1 ? 14 : 6)   // Turns of a win by threats,
#define REPLIES (P == 1 ? 1 : 12)  // the stones that answer one,
#define CANDIDATES 64              // the stones,
#define SHORTLIST 256              // the pairs of them that are looked at in one
#define PAIRS 16                   // and those that are tried.
#define COVERED 32

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
// The places in a list of what lanes want to add to it, in the order of lanes. Every lane keeps the count.
CARD int place_for(bool wanted, int* count) {
  uint32_t all = __ballot_sync(ALL_LANES, wanted);
  int from = *count;
  *count += __popc(all);
  return from + __popc(all & ((1u << LANE) - 1));
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
CARD int place_for(bool wanted, int* count) { return wanted ? (*count)++ : *count; }
#endif
#define EACH(i, n) for (int i = LANE; i < (n); i += LANES)
// The same with all lanes in every round; those beyond the end have nothing to do.
#define TOGETHER(i, n) for (int i = LANE; i - LANE < (n); i += LANES)

// What is proved of a position, for the player to move.
enum { UNKNOWN = 0, WON = 1, LOST = -1, DRAWN = 2 };
// A line is K cells in a row, by direction and first cell; its byte counts black stones in the low half, white ones
// in the high half. Lines that leave the board count as full of both.
struct Board {
  uint8_t line[(LINES + 3) / 4 * 4];
  uint8_t stone[(CELLS + 3) / 4 * 4];  // 0 empty, 1 black, 2 white
};

struct Settings {
  uint64_t seed;
  int32_t visits, quick_visits, proof, zone;  // the last two: positions of a search for a win by threats
  int32_t wander;                             // stones that an opening goes on by at most
  float long_share, noise;
};

// What a warp works with; on the card in its fast memory.
struct Desk {
  Board board;
  uint32_t allowed[WORDS], level[LEVELS][WORDS];
  uint16_t attack[LEVELS][P], reply[LEVELS][REPLIES];
  uint8_t replies[LEVELS];
  uint16_t covered[COVERED];
#if P > 1
  uint32_t second[LEVELS][WORDS];
  uint16_t candidate[CANDIDATES];
  uint32_t pair[LEVELS][PAIRS];
  uint32_t shortlist[SHORTLIST];
  int pairs[LEVELS];
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
  int candidates = 0, shortlisted = 0, pairs = 0;
  for (int alone = 1; alone >= 0; alone--) {
    TOGETHER(c, CELLS) {
      bool wanted = c < CELLS && has(s->level[level], c) && has(s->second[level], c) == alone;
      int place = place_for(wanted, &candidates);
      if (wanted && place < CANDIDATES) s->candidate[place] = c;
    }
  }
  SYNC();
  int n = candidates < CANDIDATES ? candidates : CANDIDATES;
  TOGETHER(at, n * n) {
    int i = at / n, j = at % n, one = i < j && i < n ? s->candidate[i] : 0, two = i < j && i < n ? s->candidate[j] : 0;
    bool wanted = one != two && ((has(s->second[level], one) && has(s->second[level], two)) || joined(b, attacker, one, two));
    int place = place_for(wanted, &shortlisted);
    if (wanted && place < SHORTLIST) s->shortlist[place] = one | (uint32_t)two << 16;
  }
  SYNC();
  int count = shortlisted < SHORTLIST ? shortlisted : SHORTLIST, won = SHORTLIST;
  TOGETHER(at, count) {
    int needed = at < count ? stops(b, attacker, s->shortlist[at] & 0xffff, s->shortlist[at] >> 16) : 0;
    if (needed == 3) won = at < won ? at : won;
    int place = place_for(needed == 2, &pairs);
    if (needed == 2 && place < PAIRS) s->pair[level][place] = s->shortlist[at];
  }
  won = least(won);
  SYNC();
  if (LANE == 0) {
    s->pairs[level] = pairs < PAIRS ? pairs : PAIRS;
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
  int count = 0;
  TOGETHER(l, LINES) {
    bool wanted = l < LINES && live(b->line[l], !player) >= K - P;
    int place = place_for(wanted, &count);
    if (wanted && place < COVERED) s->covered[place] = l;
  }
  SYNC();
  int n = count < COVERED ? count : COVERED;
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
