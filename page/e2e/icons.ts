/** `npm run icons`: the icons of the installed page, drawn from `public/icon.svg`. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { launch } from './harness.ts'

const folder = fileURLToPath(new URL('../public/', import.meta.url))
/** A maskable icon may be cut to a circle of 80 %: the drawing stays within it, on the colour of its board. */
const ICONS = [
  { name: 'icon-192', size: 192, drawing: 1 },
  { name: 'icon-512', size: 512, drawing: 1 },
  { name: 'icon-maskable-512', size: 512, drawing: 0.74 },
]
const BOARD = '#dcb683'

it('draws the icons', async () => {
  const svg = Buffer.from(readFileSync(`${folder}icon.svg`)).toString('base64')
  const browser = await launch()
  const page = await browser.newPage()
  for (const { name, size, drawing } of ICONS) {
    await page.setViewportSize({ width: size, height: size })
    const side = Math.round(size * drawing)
    await page.setContent(`<body style="margin:0;height:100vh;display:grid;place-items:center;background:${drawing < 1 ? BOARD : 'transparent'}">
      <img src="data:image/svg+xml;base64,${svg}" width="${side}" height="${side}">`)
    await page.waitForFunction(() => document.querySelector('img')!.complete)
    await page.screenshot({ path: `${folder}${name}.png`, omitBackground: drawing === 1 })
  }
  await browser.close()
})
