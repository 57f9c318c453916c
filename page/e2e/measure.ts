/** `npm run measure`: how quickly the page answers and what many pages cost. Prints numbers, judges nothing. */

import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { launch, newGame, openPage, Program } from './harness.ts'

const CLICKS = 40

it('measures', async () => {
  const program = await Program.start()
  const browser = await launch()
  const { page } = await openPage(browser, program.url)
  await newGame(page, 'Connect6')
  const times = await page.evaluate(async (clicks) => {
    const svg = document.querySelector('svg[role=grid]')!
    const times: number[] = []
    for (let n = 0; n < clicks; n++) {
      // Far apart, so that nobody wins.
      const cell = (n * 7) % 361
      const box = document.getElementById(`cell-${cell}`)!.getBoundingClientRect()
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true }
      const start = performance.now()
      const drawn = new Promise<void>((resolve) => {
        const look = () => (document.querySelector(`.stone[data-cell="${cell}"]`) ? resolve() : requestAnimationFrame(look))
        requestAnimationFrame(look)
      })
      svg.dispatchEvent(new MouseEvent('click', at))
      await drawn
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    return times.sort((a, b) => a - b)
  }, CLICKS)
  const median = times[Math.floor(times.length / 2)]!
  console.log(`click to stone drawn: median ${median.toFixed(1)} ms, worst ${times.at(-1)!.toFixed(1)} ms of ${times.length}`)

  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => tasks.push(entry.duration))).observe({ type: 'longtask' })
  })
  await page.keyboard.press('a')
  await page.waitForTimeout(6000)
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  const worst = Math.max(0, ...tasks)
  console.log(`19×19 while the analysis streams, 6 s: ${tasks.length} tasks over 50 ms, longest ${worst.toFixed(0)} ms`)
  await page.context().close()

  const idle = memory(program.pid)
  const load = await openPage(browser, program.url)
  const sampled: number[] = []
  const sampler = setInterval(() => sampled.push(memory(program.pid).now), 200)
  const waits = await load.page.evaluate(think, { pages: PAGES, turns: TURNS, ms: THINK_MS })
  clearInterval(sampler)
  await load.page.context().close()
  const { most, now } = memory(program.pid)
  console.log(`${PAGES} pages think at once, ${TURNS} turns of ${THINK_MS} ms each: a turn came after ${middle(waits).toFixed(0)} ms at the median, `
    + `${Math.max(...waits).toFixed(0)} ms at worst; memory ${idle.now} MB before, ${Math.max(...sampled)} MB during (${most} MB at most), ${now} MB after`)
  await browser.close()
  await program.stop()
})

const PAGES = 50
const TURNS = 3
const THINK_MS = 200

const middle = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** What Linux says of a process: memory in MB, now and at most. */
function memory(pid: number): { now: number; most: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const number = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(text)?.[1] ?? 0)
  return { now: Math.round(number('VmRSS') / 1024), most: Math.round(number('VmHWM') / 1024) }
}

/** In the browser: this many sockets, each with a game of its own against the strongest level. */
async function think({ pages, turns, ms }: { pages: number; turns: number; ms: number }): Promise<number[]> {
  const waits: number[] = []
  const rules = { width: 19, height: 19, k: 6, p: 2, q: 1, gravity: false, exact: false }
  const white = { type: 'agent', spec: 'sextant:level=10', label: '' }
  const game = { rules, black: { type: 'person' }, white, timing: { type: 'turn', ms } }
  await Promise.all(Array.from({ length: pages }, () => new Promise<void>((done) => {
    const socket = new WebSocket(`ws://${window.location.host}/socket`)
    const say = (message: object) => socket.send(JSON.stringify(message))
    let asked = 0
    let turn = 0
    socket.onopen = () => say({ type: 'new', game })
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data))
      if (message.type !== 'board' || message.board.toMove !== 'black' || message.board.stonesLeft !== (turn ? 2 : 1)) return
      if (turn > 0) waits.push(performance.now() - asked)
      if (turn++ === turns) {
        socket.close()
        return done()
      }
      asked = performance.now()
      // Along the edge, where nobody else plays.
      const { moves } = message.board
      const free = Array.from({ length: 361 }, (_, cell) => (moves.length ? cell : 180)).filter((cell) => !moves.includes(cell))
      for (let stone = 0; stone < message.board.stonesLeft; stone++) say({ type: 'play', ply: moves.length + stone, cell: free[stone * 7] })
    }
  })))
  return waits
}
