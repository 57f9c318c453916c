/** What every browser test needs: the program, a browser, and ways to look at the page. */

import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { it } from 'vitest'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** How long a slow machine may take: to start the program, and for each step on the page. */
const START_MS = 60_000
const STEP_MS = 30_000

/** The program under test: COLLINEAR, or what `cargo build` made. */
export const binary = process.env.COLLINEAR ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug', 'collinear')

/** The browser: CHROMIUM, or Debian's. */
const browserPath = process.env.CHROMIUM
  ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** What the tests have started and not ended yet. */
const running = new Set<ChildProcess>()
// Tests may be ended themselves before they end it: an interrupt, a time-out of the whole run, whose
// worker is then left without a master.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))
process.once('disconnect', () => process.exit(1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Starts the program; it ends with the tests at the latest. */
export function run(...words: string[]): ChildProcess {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run cargo build first`)
  const child = spawn(binary, words)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a program as the power cut would, and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** The page without a server, if it is what this pass of the tests is about: SITE, made by `cargo xtask site`. */
export const site = process.env.SITE || undefined

/** A test of what only a server has: a data folder, runs of the arena, a socket. */
export const itOnServer = it.skipIf(site !== undefined)
/** A test of what only the page without a server has. */
export const itOnSite = it.skipIf(site === undefined)

const TYPES: Record<string, string> = {
  css: 'text/css', html: 'text/html', js: 'text/javascript', json: 'application/json', png: 'image/png',
  svg: 'image/svg+xml', webmanifest: 'application/manifest+json',
}

/** Serves a folder as any static host does. */
export async function serve(folder: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, answer) => {
    const path = new URL(request.url!, 'http://x').pathname
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) return void answer.writeHead(404).end()
    const type = TYPES[file.split('.').pop()!]
    const packed = type !== undefined && /text|json|svg/.test(type)
    answer.writeHead(200, { 'content-type': type ?? 'application/octet-stream', ...(packed && { 'content-encoding': 'gzip' }) })
    answer.end(packed ? gzipSync(readFileSync(file)) : readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

export class Program {
  #process: ChildProcess | null
  #server: Server | null = null
  #ownsData: boolean
  readonly url: string
  readonly data: string

  private constructor(process: ChildProcess | null, url: string, data: string, ownsData: boolean) {
    this.#process = process
    this.url = url
    this.data = data
    this.#ownsData = ownsData
  }

  static async start(data?: string, ...more: string[]): Promise<Program> {
    const folder = data ?? mkdtempSync(join(tmpdir(), 'collinear-e2e-'))
    if (site) {
      const [there, here] = [site, join(root, 'page', 'dist')].map((folder) => readFileSync(join(folder, 'assets', 'page.js'), 'utf8'))
      if (there !== here) throw new Error(`${site} is older than page/dist: run cargo xtask site`)
      const { url, server } = await serve(site)
      const program = new Program(null, url, folder, data === undefined)
      program.#server = server
      return program
    }
    const process = run('serve', '--no-open', '--port', '0', '--data', folder, ...more)
    const url = await new Promise<string>((resolve, reject) => {
      let text = ''
      const hear = (chunk: Buffer) => {
        text += String(chunk)
        const found = /http:\/\/\S+/.exec(text)
        if (found) resolve(found[0])
      }
      process.stdout!.on('data', hear)
      process.stderr!.on('data', hear)
      process.on('exit', () => reject(new Error(`the program ended: ${text}`)))
      setTimeout(() => reject(new Error(`no address within ${START_MS} ms: ${text}`)), START_MS)
    })
    return new Program(process, url, folder, data === undefined)
  }

  get pid(): number {
    return this.#process!.pid!
  }

  /** As the power cut would. */
  async kill(): Promise<void> {
    if (this.#process) await kill(this.#process)
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  async stop(): Promise<void> {
    await this.kill()
    if (this.#ownsData) rmSync(this.data, { recursive: true, force: true })
  }
}

export async function launch(): Promise<Browser> {
  if (!browserPath) throw new Error('no Chromium: apt-get install chromium, or set CHROMIUM')
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  })
}

/** A page of its own; errors on it fail the test that asks for them. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<{ page: Page; errors: string[] }> {
  // A site would fetch all its parts for later in each test; the test of that asks for it.
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, serviceWorkers: 'block', ...options })
  context.setDefaultTimeout(STEP_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await prepare(page)
  await page.goto(url)
  await page.waitForSelector('svg[role=grid]')
  return { page, errors }
}

/** Clicks the middle of a cell. */
export async function clickCell(page: Page, cell: number): Promise<void> {
  const box = (await page.locator(`#cell-${cell}`).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Stones that are drawn, confirmed by the server or not. */
export const stones = (page: Page): Promise<number> => page.locator('.stone[data-cell]').count()

/** Waits until this many stones lie on the board and the server knows them. */
export async function waitStones(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll('.stone[data-cell]:not(.waiting)').length >= count, count,
  )
}

/** Waits until exactly this many stones are drawn. */
export async function waitExactly(page: Page, count: number): Promise<void> {
  await page.waitForFunction((count) => document.querySelectorAll('.stone[data-cell]').length === count, count)
}

/** The form of a new game: a first visit opens it by itself. */
export async function openForm(page: Page): Promise<Locator> {
  const dialog = page.locator('dialog[open]')
  if (!(await dialog.count())) await page.keyboard.press('n')
  return dialog
}

/** Begins a game through the dialog. */
export async function newGame(
  page: Page,
  game: string,
  seats: { black?: string; white?: string } = {},
): Promise<void> {
  const dialog = await openForm(page)
  // "Gomoku" begins two names: the first is meant.
  await dialog.getByRole('radio', { name: game }).first().click()
  await choose(page, FIRST, seats.black ?? 'person')
  await choose(page, SECOND, seats.white ?? 'person')
  await pressPlay(page)
}

/** Begins the game that the dialog shows; the board has the focus then, answered or not. */
export async function pressPlay(page: Page): Promise<void> {
  await page.locator('dialog[open]').getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForFunction(() => !document.querySelector('dialog[open]')
    && document.activeElement?.getAttribute('role') === 'grid')
}

/** The seats of the sides that move first and second. */
export const FIRST = /^\w+, moves first$/
export const SECOND = /^(White|Yellow)$/

export async function choose(page: Page, seat: string | RegExp, value: string): Promise<void> {
  const select = page.locator('dialog[open]').getByLabel(seat, { exact: true })
  await page.waitForFunction(
    ([element, value]) => [...(element as HTMLSelectElement).options].some((option) => option.value === value),
    [await select.elementHandle(), value] as const,
  )
  await select.selectOption(value)
}
