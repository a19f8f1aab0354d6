import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { batch } from '../store/samples.ts'
import { NO_BROWSER, startBrowser } from './browser.ts'
import { expectFaultless } from './faults-by-axe.ts'
import { LiveDesk, shipments, TOKEN, VIEWER_TOKEN, WAIT } from './live-desk.ts'

/** Follows the stream as the page does, and notes the next event that rings. */
const FOLLOW = `new Promise((opened) => {
  const stream = new EventSource('/api/v1/stream')
  globalThis.rang = new Promise((rang) => stream.addEventListener('event', () => rang(true)))
  stream.addEventListener('open', () => opened(true))
})`

if (NO_BROWSER !== null) console.warn(`No browser test runs: ${NO_BROWSER}.`)

describe.skipIf(NO_BROWSER !== null)('a person at the desk', () => {
  const faults: string[] = []
  let browser: Browser

  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(async () => browser.close())
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  /** A page on which nothing may fail: no error, nothing that its policy refuses. */
  async function signedIn(desk: LiveDesk, token: string, path: string): Promise<Page> {
    const page = await (await browser.newContext({ bypassCSP: token === TOKEN && path === '/' })).newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (said) => {
      // A form that cannot be taken is answered 422.
      if (said.type() === 'error' && !/status of 422/.test(said.text())) faults.push(said.text())
    })
    await page.goto(`${desk.url}${path}`)
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${desk.url}${path}`)
    return page
  }

  test('sees an event arrive, mends what fails, and decides what is held', async () => {
    await using desk = await LiveDesk.start()
    desk.receiver.answer = () => 503
    await using page = await signedIn(desk, TOKEN, '/events?type=shipment.status_changed')
    expect(await page.getByText('No event fits').count()).toBe(1)

    // It arrives without a reload.
    await page.evaluate('globalThis.isTheSamePage = true')
    desk.platform.shipments = shipments('in_progress')
    const sentence = page.getByRole('link', { name: /Garden chairs 2 \(SHP-2\) went from booked to in progress/ })
    await sentence.waitFor()
    expect(await page.evaluate('globalThis.isTheSamePage')).toBe(true)

    // Its story, with the delivery that fails.
    await sentence.click()
    await page.getByRole('heading', { name: /One field differs/ }).waitFor()
    await page.getByText('How Shipbell knows').click()
    await page.getByText('GET /v1/shipments?skip=0&take=100').waitFor()
    await page.getByText('503 Service Unavailable').first().waitFor()
    await page.getByRole('heading', { name: /exhausted/ }).waitFor()
    await page.getByText('The receiver itself fails: look at its log.').waitFor()

    // Mended, and sent again: this one, then all that match.
    desk.receiver.answer = () => 200
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('It is sent again now.').waitFor()
    await page.getByText('200 OK').waitFor()
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('link', { name: /^Exhausted/ }).click()
    await page.locator('main > .head').getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { name: /^Retry 1\d deliveries\?$|^Retry 11 deliveries\?$/ }).waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('finished').waitFor()
    await vi.waitFor(
      async () => expect((await desk.service.store.endpoints())[0]?.counts).toMatchObject({ exhausted: 0, pending: 0 }),
      WAIT,
    )

    // Disabled, events are held; enabled, they go.
    await page.goto(`${desk.url}/subscriptions/erp`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('erp is disabled: its events are held until it is enabled.').waitFor()
    desk.platform.shipments = shipments('finished')
    await vi.waitFor(async () => expect((await desk.service.store.endpoints())[0]?.counts.held).toBe(12), WAIT)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('erp is enabled; 12 held events released in order.').waitFor()
    await vi.waitFor(
      () => expect(desk.receiver.events.filter(({ type }) => type === 'shipment.status_changed')).toHaveLength(24),
      WAIT,
    )
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The test was taken: 200 OK.').waitFor()

    // What needs somebody: by keys alone, and what is wrong is said beside its field.
    const opening = { type: 'shipment.problem_reported', milestone: 'arrival', at: Date.now() } as const
    const opens = ['SHP-2', 'SHP-3'].map((id) => ({ ...opening, subject: { resource: 'shipment', id } as const }))
    await desk.service.store.commit(batch({ exceptions: { opens } }))
    await page.goto(`${desk.url}/`)
    for (const key of ['j', 'a']) await page.keyboard.press(key)
    await page.keyboard.type('The carrier was called.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('soon')
    await page.keyboard.press('Enter')
    await page.getByText('That is no time').waitFor()
    expect(await page.getByLabel('Note').first().inputValue()).toBe('The carrier was called.')
    expect(await page.evaluate('document.activeElement.value')).toBe('soon')
    await page.getByLabel('Until').first().fill('2d')
    await page.getByRole('button', { name: 'Acknowledge' }).first().click()
    await page.getByText('Acknowledged: 1 exception. Nobody is reminded of it while that holds.').waitFor()
    await page.getByText('1 that somebody sees to').click()
    await page.getByText('The carrier was called.').waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Reopened: 1 exception.').waitFor()
    const { items } = await desk.service.store.exceptionPage({ now: Date.now(), limit: 9, states: ['open'] })
    expect(items).toHaveLength(2)
    await page.getByLabel('Note').nth(1).fill('half a no')
    const closes = [{ resource: 'shipment', subjectId: 'SHP-2', by: 'cleared', at: Date.now() } as const]
    await desk.service.store.commit(batch({ exceptions: { closes } }))
    desk.platform.shipments = shipments('booked')
    await vi.waitFor(async () => expect(await page.getByLabel('Note').count()).toBe(1), WAIT)
    expect(await page.getByLabel('Note').inputValue()).toBe('half a no')
    expect(await page.evaluate('document.activeElement.value')).toBe('half a no')

    // Too many are gone at once: a person says that they are.
    desk.platform.shipments = shipments('finished').slice(0, 2)
    await vi.waitFor(async () => expect(await desk.service.store.holds()).toHaveLength(1), WAIT)
    await page.goto(`${desk.url}/accounts/acme`)
    await page.getByText('10 of 12 are gone from the list: shipments.').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('10 missing items of shipments of acme will be believed to be gone.').waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('shipments: accepted;').waitFor()
    await vi.waitFor(
      () => expect(desk.receiver.events.filter(({ type }) => type === 'shipment.removed')).toHaveLength(10),
      WAIT,
    )
  })

  test('sees what rang while its page was read, although that says nothing of it', async () => {
    await using desk = await LiveDesk.start()
    await using page = await signedIn(desk, TOKEN, '/events?type=shipment.status_changed')
    await page.getByText('Live', { exact: true }).waitFor()
    const asked = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    await page.route(
      (url) => url.pathname === '/events',
      async (route) => {
        const before = await route.fetch()
        asked.resolve()
        await told.promise
        await route.fulfill({ response: before })
      },
      { times: 1 },
    )
    desk.platform.shipments = shipments('finished')
    await asked.promise
    await page.evaluate(FOLLOW)
    desk.platform.shipments = shipments('in_progress')
    await page.evaluate('globalThis.rang')
    told.resolve()
    await page
      .getByRole('link', { name: /Garden chairs 2 \(SHP-2\) went from finished to in progress/ })
      .waitFor({ timeout: 20_000 })
  })

  test('sees that Shipbell itself needs somebody, and that it no longer does, without a reload', async () => {
    await using desk = await LiveDesk.start()
    await using page = await signedIn(desk, TOKEN, '/')
    const line = page.locator('#shipbell')
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await line.isHidden()).toBe(true)
    desk.receiver.answer = () => 503
    desk.platform.shipments = shipments('in_progress')
    await page.getByText('Shipbell itself').waitFor()
    expect(await line.getAttribute('class')).toContain('shipbell')
    await using other = await signedIn(desk, TOKEN, '/subscriptions/erp')
    desk.receiver.answer = () => 200
    await other.goto(`${desk.url}/deliveries?state=exhausted`)
    await other.locator('main > .head').getByRole('button', { name: 'Retry' }).click()
    await other.getByRole('button', { name: 'Confirm' }).click()
    await line.waitFor({ state: 'hidden' })
    expect(await line.getAttribute('class')).toBeNull()
  })

  test('who may only look sees no button that acts, and is refused where they try', async () => {
    await using desk = await LiveDesk.start()
    await using page = await signedIn(desk, VIEWER_TOKEN, '/subscriptions/erp')
    await page.getByText('read-only').waitFor()
    for (const name of ['Send test', 'Disable', 'Enable', 'Discard', 'Retry', 'Accept'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await page.goto(`${desk.url}/deliveries`)
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  })

  test('finds no page that axe calls seriously wrong, or that is wider than its window', async () => {
    await using desk = await LiveDesk.start()
    desk.receiver.answer = () => 503
    desk.platform.shipments = shipments('in_progress')
    await vi.waitFor(async () => expect((await desk.service.store.endpoints())[0]?.counts.exhausted).toBe(12), WAIT)
    desk.platform.shipments = []
    await vi.waitFor(async () => expect(await desk.service.store.holds()).toHaveLength(1), WAIT)
    const [row] = (await desk.service.store.deliveryPage({ limit: 1, states: ['exhausted'] })).items
    await using page = await signedIn(desk, TOKEN, '/')
    for (const path of [...PAGES, `/events/${row?.eventId}`, `/deliveries/${row?.id}`]) {
      await page.goto(`${desk.url}${path}`)
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await expectFaultless(page, `${path} at ${width}`)
      }
    }
  })
})

const PAGES = [
  '/events',
  '/deliveries',
  '/deliveries/retry?state=exhausted',
  '/subscriptions',
  '/subscriptions/erp',
  '/accounts',
  '/accounts/acme',
  '/accounts/acme/holds/shipments/accept',
  '/plan',
]
