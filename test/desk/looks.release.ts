import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../src/http-server.ts'
import { LANGUAGES } from '../../src/model/reader.ts'
import { NO_BROWSER, startBrowser } from './browser.ts'
import { faultsByAxe } from './faults-by-axe.ts'
import { hostileDesk, LONG_NAMES } from './hostile-desk.ts'
import { BEYOND_ITS_PANEL, TOO_SMALL } from './looks-in-page.ts'
import { serveDesk } from './serve-desk.ts'

const PAGES = [
  '/',
  '/system',
  '/records/shipment',
  '/records/invoice',
  '/records/purchase_order',
  '/records/document',
  '/records/shipment/acme/SHP-1000?seen=1',
  `/records/shipment/acme/${LONG_NAMES[0]}`,
  '/events',
  '/events/evt_long',
  '/deliveries',
  '/subscriptions',
  '/subscriptions/erp',
  '/accounts/acme',
  '/plan',
  '/slips?days=30',
  '/reliability',
  '/search?q=shp',
]

describe.skipIf(NO_BROWSER !== null)('pages in every language', () => {
  let browser: Browser
  let server: HttpServer

  beforeAll(async () => {
    browser = await startBrowser()
    server = await serveDesk(hostileDesk())
  })
  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  test.each(LANGUAGES)('in %s hold their words, and what is clicked is large enough', async (locale) => {
    await using context = await browser.newContext({ locale, bypassCSP: true })
    const page = await context.newPage()
    for (const path of PAGES) {
      await page.goto(`${server.url}${path}`)
      for (const width of [390, 768, 900, 1_100, 1_280, 1_600]) {
        await page.setViewportSize({ width, height: 900 })
        expect([path, width, await page.evaluate(BEYOND_ITS_PANEL), await page.evaluate(TOO_SMALL)]).toEqual([
          path,
          width,
          [],
          [],
        ])
      }
    }
  })

  test('on paper are dark on white, and hold nothing that is there to be clicked', async () => {
    await using context = await browser.newContext({ colorScheme: 'dark', bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${server.url}/records/shipment/acme/SHP-1000`)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(23, 33, 43)')
    expect(await page.locator('button:visible, input:visible').count()).toBe(0)
    expect(await page.getByText('Times in').first().isVisible()).toBe(true)
    expect(await faultsByAxe(page, { runOnly: ['color-contrast'] })).toEqual([])
  })
})
