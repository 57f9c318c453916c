// A warp of 32 lanes on a processor, to test games.cu: every lane is a coroutine that runs up to the next place where
// lanes meet. Lanes that meet at different places, or not at all, end the program.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define CARD static
#define CARD_CALL static
#define LANES 32
#define LANE warp.lane
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define HERE __FILE__ ":" TEXT(__LINE__)
#define SYNC() meet(0, HERE)

static struct Warp {
  ucontext_t outside, inside[LANES];
  char stack[LANES][1 << 16];
  uint64_t given[LANES], met[LANES];  // What lanes bring to the next meeting, and what they brought to the last one.
  const char* place[LANES];
  int lane;
  bool done[LANES];
  void (*work)(void*);
  void* with;
} warp;

static void meet(uint64_t value, const char* place) {
  warp.given[warp.lane] = value, warp.place[warp.lane] = place;
  swapcontext(&warp.inside[warp.lane], &warp.outside);
}

static void work_of_a_lane() {
  warp.work(warp.with);
  warp.done[warp.lane] = true;
  swapcontext(&warp.inside[warp.lane], &warp.outside);
}

// Runs the work in every lane, the last lane first: no result may depend on who is quicker.
static void run_warp(void (*work)(void*), void* with) {
  warp.work = work, warp.with = with;
  for (int i = 0; i < LANES; i++) {
    warp.done[i] = false;
    getcontext(&warp.inside[i]);
    warp.inside[i].uc_stack.ss_sp = warp.stack[i], warp.inside[i].uc_stack.ss_size = sizeof warp.stack[i];
    makecontext(&warp.inside[i], work_of_a_lane, 0);
  }
  while (!warp.done[0]) {
    for (warp.lane = LANES - 1; warp.lane >= 0; warp.lane--) swapcontext(&warp.outside, &warp.inside[warp.lane]);
    for (int i = 0; i < LANES; i++)
      if (warp.done[i] != warp.done[0] || (!warp.done[0] && warp.place[i] != warp.place[0])) {
        fprintf(stderr, "lane %d is at %s, lane 0 at %s\n", i, warp.place[i], warp.place[0]);
        abort();
      }
    memcpy(warp.met, warp.given, sizeof warp.met);
  }
}

static int sum_at(int v, const char* place) {
  meet((uint32_t)v, place);
  int total = 0;
  for (int i = 0; i < LANES; i++) total += (int)(uint32_t)warp.met[i];
  return total;
}
static float sum_at(float v, const char* place) {
  uint32_t bits;
  memcpy(&bits, &v, 4);
  meet(bits, place);
  float total = 0;
  for (int i = 0; i < LANES; i++) {
    bits = (uint32_t)warp.met[i];
    memcpy(&v, &bits, 4);
    total += v;
  }
  return total;
}
static int least_at(int v, const char* place) {
  meet((uint32_t)v, place);
  int low = v;
  for (int i = 0; i < LANES; i++) low = (int)(uint32_t)warp.met[i] < low ? (int)(uint32_t)warp.met[i] : low;
  return low;
}
static uint64_t most_at(uint64_t v, const char* place) {
  meet(v, place);
  for (int i = 0; i < LANES; i++) v = warp.met[i] > v ? warp.met[i] : v;
  return v;
}
static int first_lane_at(int v, const char* place) {
  meet((uint32_t)v, place);
  return (int)(uint32_t)warp.met[0];
}
static int place_for_at(bool wanted, int* count, const char* place) {
  meet(wanted, place);
  int before = 0, all = 0, from = *count;
  for (int i = 0; i < LANES; i++) before += i < LANE && warp.met[i], all += warp.met[i] != 0;
  *count += all;
  return from + before;
}
#define sum(v) sum_at(v, HERE)
#define least(v) least_at(v, HERE)
#define most(v) most_at(v, HERE)
#define first_lane(v) first_lane_at(v, HERE)
#define place_for(wanted, count) place_for_at(wanted, count, HERE)
static void add_bit(uint32_t* set, int c) { set[c >> 5] |= 1u << (c & 31); }
static int add_one(int* count) { return (*count)++; }
