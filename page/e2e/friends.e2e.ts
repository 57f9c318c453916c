/** Two browsers play a whole game by a link: a lost connection, take-backs, a rematch, and a third one that only watches. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faults } from './axe.ts'
import { clickCell, itOnServer, launch, openPage, Program, site, waitExactly, waitStones } from './harness.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 }
/** Pictures of what is seen, for those who look: a folder, or nothing. */
const pictures = process.env.PICTURES

let program: Program
let browser: Browser
beforeAll(async () => {
  program = await Program.start(undefined, ...(site ? [] : ['--lan']))
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await program?.stop()
})

/** What is seen, is looked at: everything fits, axe finds nothing, and a picture is taken where that is asked for. */
async function look(page: Page, name: string) {
  expect(await faults(page), name).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), name).toBe(true)
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

/** Sockets that the test can break as a network does. */
const breakable = (page: Page) =>
  page.addInitScript(() => {
    const sockets: WebSocket[] = []
    const Native = window.WebSocket
    class Breakable extends Native {
      constructor(url: string | URL) {
        super(url)
        sockets.push(this)
      }
    }
    Object.assign(window, { WebSocket: Breakable, cut: () => sockets.forEach((socket) => socket.close()) })
  })
const cut = (page: Page) => page.evaluate(() => (window as unknown as { cut(): void }).cut())

/** Opens the form of a new game, and in it what leads to a friend. */
async function openInvitation(page: Page) {
  if (!(await page.locator('dialog[open]').count())) await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Play with a friend by a link').click()
  return dialog
}

/** Makes a room for Connect Four with a clock, and sits down as Red. */
async function invite(page: Page): Promise<string> {
  const dialog = await openInvitation(page)
  await dialog.getByRole('radio', { name: 'Connect Four' }).first().click()
  await dialog.getByRole('radio', { name: 'Clocks' }).check()
  await dialog.getByLabel('Your name').fill('Ann')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('Waiting for your friend').waitFor()
  return (await page.getByLabel('The link for your friend').locator('code').first().textContent())!
}

/** Places a disc and waits until both see it. */
async function drop(by: Page, other: Page, cell: number, count: number) {
  await clickCell(by, cell)
  await waitStones(by, count)
  await waitStones(other, count)
}

itOnServer('two browsers play a whole game', async () => {
  const { page: ann, errors } = await openPage(browser, program.url, { reducedMotion: 'reduce' }, breakable)
  const link = await invite(ann)
  // What a friend gets is the address of the machine with the secret of this room, and no token.
  expect(link).toMatch(/^http:\/\/[\d.]+:\d+\/\?room=[0-9a-f]{32}$/)
  expect(link).not.toContain('127.0.0.1')
  await ann.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  await look(ann, 'room-waiting-light')
  const { page: bea, errors: hers } = await openPage(browser, link, { ...PHONE, colorScheme: 'dark', reducedMotion: 'reduce' }, breakable)
  await bea.getByLabel('Your name').fill('Bea')
  await bea.getByText('5 minutes each').first().waitFor()
  await look(bea, 'room-sit-phone-dark')
  // Red is taken.
  expect(await bea.getByRole('button', { name: 'Play Red' }).count()).toBe(0)
  await bea.getByRole('button', { name: 'Play Yellow' }).click()
  await ann.getByText('Your turn').waitFor()
  await bea.getByText('Ann to move').waitFor()
  // Bea has no arena, no games, no engines; and her clicks place nothing while it is Ann's turn.
  for (const name of ['Arena', 'My games', 'Puzzles', 'New game', 'Hint']) expect(await bea.getByRole('button', { name }).count(), name).toBe(0)
  await clickCell(bea, 3)
  await drop(ann, bea, 3, 1)
  const { page: eve } = await openPage(browser, link, { colorScheme: 'light', reducedMotion: 'reduce' })
  await eve.getByText('Bea to move').waitFor()
  expect(await eve.getByRole('button', { name: /^Play/ }).count()).toBe(0)
  await clickCell(eve, 4)
  await drop(bea, ann, 4, 2)
  await ann.getByText('1 watching').waitFor()

  // The connection is lost, and comes back with the seat and the game.
  await cut(bea)
  await ann.getByText('Not connected: Bea').waitFor()
  await ann.waitForFunction(() => !document.body.textContent!.includes('Not connected'))
  await drop(ann, bea, 3, 3)
  await bea.reload()
  await waitExactly(bea, 3)
  await bea.getByText('Your turn').waitFor()

  // A take-back is refused, another one granted.
  await ann.getByRole('button', { name: 'Take back…' }).click()
  await bea.getByText('Ann proposes: take back a turn.').waitFor()
  await look(bea, 'room-asked-phone-dark')
  await bea.getByRole('button', { name: 'Decline' }).click()
  await ann.getByText('Bea declined: take back a turn.').waitFor()
  await waitExactly(ann, 3)
  await ann.getByRole('button', { name: 'Take back…' }).click()
  await bea.getByRole('button', { name: 'Agree', exact: true }).click()
  await waitExactly(ann, 2)
  await waitExactly(bea, 2)
  await ann.getByText('Bea agreed: take back a turn.').waitFor()

  // The chat is off until both want it.
  expect(await ann.getByLabel('Message').count()).toBe(0)
  await bea.getByRole('button', { name: 'Chat…' }).click()
  await ann.getByRole('button', { name: 'Agree', exact: true }).click()
  await bea.getByLabel('Message').fill('<b>hello</b>')
  await bea.getByRole('button', { name: 'Send' }).click()
  await ann.getByText('<b>hello</b>').waitFor()
  expect(await eve.getByText('hello').count()).toBe(0)

  // Red completes a column.
  for (const [at, by] of [ann, bea, ann, bea, ann].entries()) await drop(by, by === ann ? bea : ann, by === ann ? 3 : 4, 3 + at)
  await ann.getByText('You win!').waitFor()
  await bea.getByText('You lose.').waitFor()
  await eve.getByText('Red wins').first().waitFor()
  await look(ann, 'room-over-light')
  await look(bea, 'room-over-phone-dark')
  // Both look through it together.
  await ann.keyboard.press('[')
  await waitExactly(bea, 6)
  await ann.keyboard.press(']')
  await waitExactly(bea, 7)

  // Another one, with the colours swapped.
  await bea.getByRole('button', { name: 'Rematch…' }).click()
  await ann.getByRole('button', { name: 'Agree', exact: true }).click()
  await waitExactly(ann, 0)
  await bea.getByText('Your turn').waitFor()
  await ann.getByText('Bea to move').waitFor()
  await clickCell(ann, 0)
  await drop(bea, ann, 3, 1)
  await ann.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await look(ann, 'room-playing-dark')
  await look(eve, 'room-watching-light')
  // What was played is among the owner's games, the room too, and leads back to the seat.
  await ann.getByRole('link', { name: 'All of Collinear' }).click()
  await ann.locator('dialog[open]').waitFor()
  await ann.keyboard.press('Escape')
  await ann.getByRole('button', { name: 'My games' }).click()
  await ann.locator('dialog[open] li', { hasText: 'Ann – Bea' }).waitFor()
  await ann.locator('dialog[open] li', { hasText: 'Bea – Ann' }).getByRole('button', { name: 'Open' }).click()
  await ann.getByText('Your turn').waitFor()
  // Of plain HTTP across the network the browser says that it ignores a header.
  expect([...errors, ...hers].filter((error) => !/WebSocket|ERR_|Opener-Policy/.test(error))).toEqual([])
})

itOnServer('nobody comes in by another address, and each browser has its own settings', async () => {
  const { page: ann } = await openPage(browser, program.url)
  const link = await invite(ann)
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const [path, status] of [['/', 401], ['/?room=0123456789abcdef0123456789abcdef', 404], ['/?token=guess', 401]] as const) {
    expect((await page.goto(new URL(path, link).href))!.status(), path).toBe(status)
  }
  const { page: bea } = await openPage(browser, link)
  expect((await bea.request.get(new URL('/', link).href)).status()).toBe(401)
  await bea.getByRole('button', { name: 'Settings' }).click()
  await bea.getByLabel('Appearance').selectOption('dark')
  await bea.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  await bea.reload()
  await bea.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  await ann.reload()
  await ann.getByText('Waiting for your friend').waitFor()
  expect(await ann.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
})

it('the form of a new game says what a friend needs', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [screen, options] of [['desktop', {}], ['phone', PHONE]] as const) {
      const { page } = await openPage(browser, program.url, { ...options, colorScheme, reducedMotion: 'reduce' })
      const dialog = await openInvitation(page)
      if (site) await dialog.getByText('collinear serve --lan').waitFor()
      else await dialog.getByRole('button', { name: 'Make the link' }).waitFor()
      await look(page, `invite${site ? '-site' : ''}-${screen}-${colorScheme}`)
      await page.context().close()
    }
  }
})
