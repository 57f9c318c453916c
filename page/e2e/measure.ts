/** `npm run measure`: how quickly the page answers. Prints numbers, judges nothing. */

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
  await browser.close()
  await program.stop()
})
