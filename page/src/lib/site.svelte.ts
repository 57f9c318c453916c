/** The page without a server: what is loading, what failed, and whether another version is waiting. */

import type { Loading } from '../browser/parts.ts'
import { knowsRelaxed } from '../browser/variants.ts'

/** Whether the page has no server: the site says so in its first lines. */
export const inBrowser = document.querySelector('meta[name="collinear"][content="browser"]') !== null

class Site {
  /** Parts of the program on their way. */
  loading = $state.raw<Loading>(null)
  /** Whether a game waits for parts that the network does not give. */
  away = $state(false)
  /** Why the page cannot work in this browser. */
  failed = $state('')
  /** Whether everything is kept for use without a network. */
  offline = $state(false)
  #waiting = $state.raw<ServiceWorker | null>(null)

  /** Whether another version was fetched and waits. */
  get updated(): boolean {
    return this.#waiting !== null
  }

  /** Has the browser keep the whole site, so that it works without a network. */
  async keep() {
    if (!('serviceWorker' in navigator)) return
    const { serviceWorker } = navigator
    // The first one takes over silently; another one only when asked to.
    let reloads = serviceWorker.controller !== null
    serviceWorker.addEventListener('controllerchange', () => {
      if (reloads) window.location.reload()
      reloads = true
    })
    try {
      const registration = await serviceWorker.register(
        new URL(`service-worker.js?without=${knowsRelaxed() ? 'simd.wasm' : 'relaxed.wasm'}`, document.baseURI))
      const look = () => {
        if (registration.waiting && serviceWorker.controller) this.#waiting = registration.waiting
        if (registration.active) this.offline = true
      }
      const follow = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', look)
      registration.addEventListener('updatefound', () => follow(registration.installing))
      follow(registration.installing)
      look()
    } catch (error) {
      console.warn('the site is not kept for use without a network', error)
    }
  }

  /** Goes over to the version that waits. */
  update() {
    this.#waiting?.postMessage('take over')
  }
}

export const site = new Site()
