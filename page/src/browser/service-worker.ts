/**
 * Keeps the whole site, so that it works without a network. Each version has a cache of its own, filled before it
 * serves anything: a page never gets half of one and half of another. The next version waits until the page
 * asks for it, or until no page is open.
 */

import type { Site } from './parts.ts'

type Lasting = Event & { waitUntil(promise: Promise<unknown>): void }
type Fetching = Lasting & { request: Request; respondWith(answer: Promise<Response>): void }
type Scope = {
  location: Location
  registration: { scope: string }
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', hear: (event: Lasting) => void): void
  addEventListener(name: 'fetch', hear: (event: Fetching) => void): void
  addEventListener(name: 'message', hear: (event: MessageEvent) => void): void
}

const scope = self as unknown as Scope
/** Written before this file when the site is built: its version, and every file but the packed ones. */
const { version, files } = (self as unknown as { SITE: { version: string; files: string[] } }).SITE
/** One origin may have several sites. */
const PREFIX = `collinear ${scope.registration.scope} `
const ours = PREFIX + version

/** Of the searchers only the one that runs here: the page says which is not wanted. A classic worker cannot import. */
const unwanted = new URLSearchParams(scope.location.search).get('without')

/** What the host has now: of this version, or not to be kept. */
async function current(): Promise<Site> {
  const site = await (await fetch('site.json', { cache: 'no-cache' })).json() as Site
  if (site.version !== version) throw new Error('the site is being changed: later')
  return site
}

async function fill() {
  const cache = await caches.open(ours)
  const site = await current()
  const packed = Object.keys(site.packed).filter((name) => name !== unwanted).map((name) => `${name}.gz`)
  const all = ['./', 'site.json', ...files, ...packed]
  await cache.addAll(all.map((file) => new Request(file, { cache: 'no-cache' })))
  // Changed meanwhile, it would be half of one version and half of another.
  await current().catch(async (error) => {
    await caches.delete(ours)
    throw error
  })
}

async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== ours) await caches.delete(name)
  }
  await scope.clients.claim()
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(ours)
  const known = await cache.match(request, { ignoreSearch: request.mode === 'navigate' })
    ?? (request.mode === 'navigate' ? await cache.match('./') : undefined)
  return known ?? fetch(request)
}

scope.addEventListener('install', (event) => event.waitUntil(fill()))
scope.addEventListener('activate', (event) => event.waitUntil(clear()))
scope.addEventListener('message', ({ data }) => {
  if (data === 'take over') void scope.skipWaiting()
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope)) event.respondWith(answer(request))
})
