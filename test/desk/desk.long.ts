import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../src/http-server.ts'
import { clockOfBrowser, NO_BROWSER, startBrowser } from './browser.ts'
import { expectFaultless, faultsByAxe } from './faults-by-axe.ts'
import { hostileDesk, LONG_NAMES } from './hostile-desk.ts'
import { BEYOND_ITS_PANEL } from './looks-in-page.ts'
import { sampleDesk, type SampleDesk } from './sample-desk.ts'
import { serveDesk } from './serve-desk.ts'

const PAGES = [
  '/',
  '/system',
  '/records/shipment',
  '/records/shipment?q=none-like-it&account=acme',
  '/records/invoice',
  '/records/invoice?due=any',
  '/records/purchase_order',
  '/records/shipment/acme/SHP-1000?seen=1',
  '/records/invoice/acme/INV-7001',
  '/search?q=shp',
  '/slips?days=30',
  '/reliability',
  '/nowhere',
]

const LOG_PAGES = [
  '/events?since=soon&account=acme',
  '/events/evt_long',
  '/deliveries',
  '/subscriptions',
  '/subscriptions/erp',
  '/accounts',
  '/accounts/acme',
  '/plan',
  `/records/shipment/acme/${LONG_NAMES[0]}`,
]

if (NO_BROWSER !== null) console.warn(`No browser test runs: ${NO_BROWSER}.`)

describe.skipIf(NO_BROWSER !== null)('the desk in a browser', () => {
  let browser: Browser
  let desk: SampleDesk
  let server: HttpServer

  beforeAll(async () => {
    browser = await startBrowser()
    desk = sampleDesk({ clock: clockOfBrowser() })
    server = await serveDesk(desk.context)
  })
  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  /** A page on which nothing may fail: no error, nothing that its policy refuses. */
  async function opened(path: string, look: Parameters<Browser['newPage']>[0] = {}): Promise<Page & AsyncDisposable> {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    page.on('pageerror', (error) => expect.fail(`${path}: ${error.message}`))
    page.on('console', (said) => {
      if (said.type() === 'error' && !/status of 4(?:04|22)/.test(said.text())) expect.fail(`${path}: ${said.text()}`)
    })
    await page.goto(`${server.url}${path}`)
    return page
  }

  /** As the stream says it: a new shipment has left. */
  function ring(id: string, timestamp = desk.context.clock.now()): void {
    const last = desk.store.log.at(-1)
    if (last === undefined) throw new Error('The sample rang.')
    const { account, subject } = {
      account: 'acme',
      subject: { ...last.subject, resource: 'shipment' as const, id: 'SHP-1000' },
    }
    desk.store.log.push({
      ...last,
      id,
      account,
      subject,
      timestamp,
      sequence: last.sequence + 1,
      extras: { from: 'booked', to: id },
    })
    desk.context.feed.stored()
  }

  test.each([1_280, 390])(
    'has nothing serious to say to axe at %i pixels, light or dark, and nothing beyond its edge',
    async (width) => {
      await using page = await opened('/', { viewport: { width, height: 900 }, bypassCSP: true })
      for (const path of PAGES) {
        await page.goto(`${server.url}${path}`)
        await expectFaultless(page, path)
      }
    },
  )

  test('has no element that is wider than its panel, however long and in whatever script records are', async () => {
    await using hostile = await serveDesk(hostileDesk())
    await using page = await opened('/', { bypassCSP: true })
    for (const path of [...PAGES, ...LOG_PAGES]) {
      await page.goto(`${hostile.url}${path}`)
      for (const width of [390, 768, 900, 1_280, 1_600]) {
        await page.setViewportSize({ width, height: 900 })
        expect([path, width, await page.evaluate(BEYOND_ITS_PANEL)]).toEqual([path, width, []])
      }
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${hostile.url}/records/shipment/acme/SHP-1000`)
    const cells = await page.locator('#containers td').all()
    const widths = await Promise.all(cells.map(async (cell) => (await cell.boundingBox())?.width ?? 0))
    expect([widths.length > 0, Math.min(...widths)]).toEqual([true, Math.max(...widths)])
    await page.goto(`${hostile.url}/system`)
    const here = await page.locator('nav[aria-label=Main] [aria-current=page]').boundingBox()
    expect([here !== null && here.x >= 0 && here.x + here.width <= 390, here]).toEqual([true, here])
  })

  test.each(['de', 'fr'])('has no list that is wider than its panel in %s, on any screen', async (locale) => {
    await using hostile = await serveDesk(hostileDesk())
    await using page = await opened('/', { bypassCSP: true, locale })
    for (const path of ['/records/shipment', '/records/invoice', '/records/purchase_order', '/events', '/deliveries']) {
      await page.goto(`${hostile.url}${path}`)
      for (const width of [900, 1_100, 1_280]) {
        await page.setViewportSize({ width, height: 900 })
        expect([path, width, await page.evaluate(BEYOND_ITS_PANEL)]).toEqual([path, width, []])
      }
    }
  })

  test('shows an event without a reload, and leaves what one does alone', async () => {
    await using page = await opened('/')
    await page.locator('#stream[data-state=on]').waitFor()
    const focused = page.locator('#changes .changed > li').nth(2).getByRole('link').first()
    await focused.focus()
    const name = await focused.textContent()
    await page.locator('#more-changed > summary').click()
    await focused.focus()
    await page.evaluate('globalThis.isSame = true; scrollTo(0, 120)')
    ring('evt_new_one')
    await page.locator('#latest li[data-key=evt_new_one]').waitFor()
    expect(await page.evaluate('isSame')).toBe(true)
    expect(await page.evaluate('document.activeElement.textContent')).toBe(name)
    expect(await page.evaluate('document.querySelector("#more-changed").open')).toBe(true)
    expect(await page.evaluate('scrollY')).toBeGreaterThan(100)
  })

  test('shows what one reading brought as one, folded until one opens it, also by keys', async () => {
    const now = desk.context.clock.now()
    for (const id of ['evt_first', 'evt_second']) ring(id)
    desk.store.log.splice(-2, 2, ...desk.store.log.slice(-2).map((event) => ({ ...event, timestamp: now })))
    await using page = await opened('/events', { bypassCSP: true })
    await page.locator('#stream[data-state=on]').waitFor()
    const folded = page.locator('#log tr.below').first()
    for (const key of ['j', 'j']) await page.keyboard.press(key)
    expect(await page.evaluate('document.activeElement.closest(".events")')).toBeNull()
    await folded.locator('summary').click()
    expect(await folded.locator('[href="/events/evt_first"]').isVisible()).toBe(true)
    ring('evt_third')
    await page.locator('#log tr[data-key=evt_third]').waitFor()
    expect(await folded.locator('[href="/events/evt_first"]').isVisible()).toBe(true)
    expect(await faultsByAxe(page)).toEqual([])
  })

  test('says what changed since one looked last', async () => {
    await using page = await opened('/records/shipment/acme/SHP-1000')
    expect(await page.locator('#since').isVisible()).toBe(false)
    await page.goto(`${server.url}/`)
    ring('evt_since')
    await page.goto(`${server.url}/records/shipment/acme/SHP-1000`)
    await page.locator('#since').waitFor()
    expect(await page.locator('#since h2').innerText()).toBe('1 event since you last looked')
    await page.reload()
    expect(await page.locator('#since').isVisible()).toBe(false)
  })

  test('marks what a message told of, also within what one reading brought', async () => {
    await using page = await opened('/')
    const readAt = desk.context.clock.now()
    for (const id of ['evt_told', 'evt_beside']) ring(id, readAt)
    await page.goto(`${server.url}/records/shipment/acme/SHP-1000`)
    const told = page.locator('[data-key=evt_told]')
    const anchor = (await told.getAttribute('id')) ?? ''
    expect(await told.isVisible()).toBe(false)
    await page.goto('about:blank')
    await page.goto(`${server.url}/records/shipment/acme/SHP-1000#${anchor.replace('-', '=')}`)
    await told.waitFor()
    expect(await page.locator('#events > ol > li[data-told]').isVisible()).toBe(true)
    ring('evt_later')
    await page.locator('#events [data-key=evt_later]').waitFor({ state: 'attached' })
    expect(await told.isVisible()).toBe(true)
    expect(await page.locator('#events > ol > li[data-told]').count()).toBe(1)
  })

  test('signs in and returns to the page that was asked for; signing out ends it', async () => {
    await using locked = await serveDesk(sampleDesk({ clock: clockOfBrowser(), access: withToken }).context)
    await using page = await opened('/', { bypassCSP: true })
    await page.goto(`${locked.url}/records/shipment?status=booked`)
    expect(await faultsByAxe(page)).toEqual([])
    await page.getByLabel('Token').fill('a-token-of-this-test')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/records/shipment?status=booked')
    expect(await page.getByText('read-only').count()).toBe(0)
    await page.locator('#stream[data-state=on]').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(`${locked.url}/`)
    await page.getByLabel('Token').waitFor()
  })

  test('goes by keys', async () => {
    await using page = await opened('/')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/records/shipment')
    await page.keyboard.press('/')
    await page.keyboard.type('tiles jk?')
    expect(await page.getByLabel('Search').inputValue()).toBe('tiles jk?')
    await page.keyboard.press('Escape')
    await page.getByLabel('Text').focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Ceramic')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=Ceramic')
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/records/shipment/*/SHP-1009')
  })

  test('speaks the language of the browser, or the one that is chosen, and holds its longer words', async () => {
    await using page = await opened('/', { locale: 'de-AT', bypassCSP: true })
    await page.getByRole('heading', { name: 'Heute', level: 1 }).waitFor()
    await page.locator('#stream[data-state=on]').waitFor()
    expect(await faultsByAxe(page)).toEqual([])
    for (const path of ['/', '/records/shipment', '/records/shipment/acme/SHP-1000?seen=1', '/reliability']) {
      await page.goto(`${server.url}${path}`)
      for (const width of [390, 1_280]) {
        await page.setViewportSize({ width, height: 900 })
        expect([path, width, await page.evaluate(BEYOND_ITS_PANEL)]).toEqual([path, width, []])
      }
    }
    await page.locator('#language summary').click()
    await page.getByLabel('Sprache der Seiten').selectOption('fr')
    await page.getByRole('button', { name: 'Wählen' }).click()
    await page.getByRole('heading', { name: 'Fiabilité', level: 1 }).waitFor()
    await page.goto(`${server.url}/`)
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  })

  test('works without a script', async () => {
    await using page = await opened('/records/shipment', { javaScriptEnabled: false })
    await page.getByLabel('Status').selectOption('booked')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(new URL(page.url()).searchParams.get('status')).toBe('booked')
    await page.goto(`${server.url}/records/shipment`)
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.getByRole('link', { name: 'Previous', exact: true }).click()
    await page.getByRole('link', { name: 'Previous', exact: true }).click()
    expect(page.url()).toBe(`${server.url}/records/shipment`)
    await page.getByRole('rowheader').first().getByRole('link').click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Garden chairs 2026')
    await page.getByText('Every value as a table').click()
    expect(await page.getByRole('table', { name: 'Every value of the dates' }).isVisible()).toBe(true)
  })
})

function withToken() {
  return { token: 'a-token-of-this-test', viewerToken: null, tokens: [], publicUrl: null }
}
