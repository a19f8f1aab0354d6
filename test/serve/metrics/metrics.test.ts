import { describe, expect, test } from 'vitest'
import { METRICS } from '../../../src/serve/metrics/catalogue.ts'
import { samplesOf } from './exposition.ts'
import { ObservedService, VIEWER_TOKEN } from './observed-service.ts'
import { hasPromtool, promtool } from './promtool.ts'

const SHIPMENT = { platform_shipment_id: 'SHP-1', name: 'First', status: 'booked' }
const ACME = 'account="acme"'
const SHIPMENTS = `${ACME},resource="shipments"`

/** One shipment that was changed two minutes after it was learnt. */
async function changed(): Promise<ObservedService> {
  const service = await ObservedService.start()
  service.platform.shipments = [SHIPMENT]
  service.platform.tracking.set('SHP-1', { platform_shipment_id: 'SHP-1', status: 'booked', tracking_steps: [] })
  await service.once()
  service.wait(120_000)
  service.platform.shipments = [{ ...SHIPMENT, status: 'in_progress' }]
  await service.once()
  return service
}

describe('the metrics', () => {
  test('say what was read, seen and sent', async () => {
    const service = await changed()
    const values = await service.scrape()
    expect(values.get(`shipbell_requests_total{${ACME},outcome="ok",resource="shipments"}`)).toBe(2)
    expect(values.get(`shipbell_requests_total{${ACME},outcome="ok",resource="tracking"}`)).toBe(2)
    expect(values.get(`shipbell_requests_total{${ACME},outcome="unreachable",resource="shipments"}`)).toBe(0)
    expect(values.get('shipbell_request_duration_seconds_count')).toBeGreaterThan(4)
    expect(values.get(`shipbell_events_total{${ACME},type="shipment.status_changed"}`)).toBe(1)
    expect(values.get('shipbell_detection_delay_seconds_count{resource="shipments"}')).toBe(1)
    expect(values.get('shipbell_detection_delay_seconds_sum{resource="shipments"}')).toBe(120)
    expect(values.get(`shipbell_records{${SHIPMENTS}}`)).toBe(1)
    expect(values.get('shipbell_delivery_attempts_total{outcome="delivered",subscription="erp"}')).toBe(4)
    expect(values.get('shipbell_delivery_attempt_duration_seconds_count{subscription="erp"}')).toBe(4)
    expect(values.get('shipbell_deliveries{state="delivered",subscription="erp"}')).toBe(4)
    expect(values.get(`shipbell_account_up{${ACME}}`)).toBe(1)
    expect(values.get(`shipbell_budget_ceiling_ratio{${ACME}}`)).toBe(1)
    expect(values.get(`shipbell_budget_remaining_requests{${ACME}}`)).toBeLessThan(1_000)
    expect(values.get('shipbell_store_bytes')).toBeGreaterThan(4_096)
    expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(values.get('nodejs_heap_size_used_bytes')).toBeGreaterThan(0)
  })

  test('show how old the oldest read is, beside what was promised', { tags: 'long' }, async () => {
    const service = await changed()
    service.run()
    const ages = async (): Promise<readonly number[]> => {
      const values = await service.scrape()
      return ['shipments', 'tracking', 'invoices'].map(
        (resource) => values.get(`shipbell_freshness_age_seconds{${ACME},resource="${resource}"}`) ?? Number.NaN,
      )
    }
    await service.clock.advance(60_000)
    const [shipments, tracking, invoices] = await ages()
    expect(shipments).toBeLessThanOrEqual(120)
    expect(tracking).toBeLessThanOrEqual(900)
    expect(invoices).toBeLessThanOrEqual(600)
    service.platform.replace = () => new Response('', { status: 503 })
    await service.clock.advance(1_000_000)
    expect((await ages()).every((age) => age >= 940)).toBe(true)
    expect((await service.scrape()).get(`shipbell_freshness_promise_seconds{${SHIPMENTS}}`)).toBe(120)
  })

  test('show an endpoint that fails, its backlog, and its recovery', async () => {
    const service = await ObservedService.start()
    service.receiver.answer = () => 500
    await service.once()
    service.wait(30_000)
    const failing = await service.scrape()
    expect(failing.get('shipbell_endpoint_up{subscription="erp"}')).toBe(0)
    expect(failing.get('shipbell_deliveries{state="pending",subscription="erp"}')).toBe(3)
    expect(failing.get('shipbell_delivery_backlog_age_seconds{subscription="erp"}')).toBe(30)
    expect(failing.get('shipbell_delivery_attempts_total{outcome="retry",subscription="erp"}')).toBe(3)
    service.receiver.answer = () => 200
    service.wait(90_000)
    await service.once()
    const mended = await service.scrape()
    expect(mended.get('shipbell_endpoint_up{subscription="erp"}')).toBe(1)
    expect(mended.get('shipbell_delivery_backlog_age_seconds{subscription="erp"}')).toBe(0)
  })

  test('count what waits for its digest as no backlog', async () => {
    const hour = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 13)
    const more = `  finance:
    email: { to: [ap@example.com], from: shipbell@example.com }
    events: [account.baseline_completed]
    digest: { at: '${hour}:00', time_zone: UTC }
smtp: smtp://mail.example`
    const service = await ObservedService.start({ more })
    await service.once()
    service.wait(120_000)
    const values = await service.scrape()
    expect(values.get('shipbell_deliveries{state="pending",subscription="finance"}')).toBe(3)
    expect(values.get('shipbell_delivery_backlog_age_seconds{subscription="finance"}')).toBe(0)
    expect(values.get('shipbell_endpoint_up{subscription="finance"}')).toBe(1)
  })

  test('count retries that ran out as exhausted', async () => {
    const service = await ObservedService.start()
    service.receiver.answer = () => 500
    await service.once()
    service.wait(120_000)
    await service.once()
    const values = await service.scrape()
    expect(values.get('shipbell_delivery_attempts_total{outcome="exhausted",subscription="erp"}')).toBe(3)
    expect(values.get('shipbell_events_total{account="",type="endpoint.exhausted"}')).toBe(1)
  })

  test('count tests that are sent from the desk', async () => {
    const service = await ObservedService.start()
    service.run()
    const { status } = await service.act('/api/v1/subscriptions/erp/test')
    expect(status).toBe(200)
    expect((await service.scrape()).get('shipbell_events_total{account="",type="shipbell.test"}')).toBe(1)
  })

  test('name the outcome of a request that was refused', async () => {
    const service = await ObservedService.start()
    service.platform.replace = () => new Response('{}', { status: 401 })
    await service.onceUntil(async () => (await service.scrape()).get(`shipbell_account_up{${ACME}}`) === 0)
    const values = await service.scrape()
    expect(values.get(`shipbell_requests_total{${ACME},outcome="unauthorized",resource="shipments"}`)).toBeGreaterThan(
      0,
    )
  })

  test(
    'drop the series of what is configured no more, and begin those of what is new at 0',
    { tags: 'long' },
    async () => {
      const service = await changed()
      await service.scrape()
      await service.configure({ accounts: ['globex'], subscriptions: ['hub'] })
      service.wait(10_000)
      const text = await service.text()
      expect(text).not.toMatch(/account="acme"|subscription="erp"/)
      expect(text).toContain('shipbell_requests_total{account="globex",resource="shipments",outcome="ok"} 0')
      expect(text).toContain('shipbell_delivery_attempts_total{subscription="hub",outcome="delivered"} 0')
    },
  )

  test('look the store up once, however often they are asked for within two seconds', async () => {
    const service = await changed()
    const age = `shipbell_freshness_age_seconds{${SHIPMENTS}}`
    expect((await service.scrape()).get(age)).toBe(0)
    service.wait(1_000)
    expect((await service.scrape()).get(age)).toBe(0)
    service.wait(1_000)
    expect((await service.scrape()).get(age)).toBe(2)
  })

  test('have the names and labels of their catalogue, and no label that holds a record', async () => {
    const service = await changed()
    const text = await service.text()
    for (const { kind, labels, name } of Object.values(METRICS)) {
      expect(text).toContain(`# TYPE ${name} ${kind}\n`)
      const own = samplesOf(text).filter((each) => each.name.replace(/_(?:bucket|sum|count)$/, '') === name)
      const found = new Set(own.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== 'le'))
      expect([...found].toSorted()).toEqual(labels.toSorted())
    }
    expect(text).not.toContain('SHP-1')
  })

  test('answer who shows either token, and nobody else, in the media type of Prometheus', async () => {
    const service = await ObservedService.start()
    expect((await service.ask('/metrics', null)).status).toBe(401)
    expect((await service.ask('/metrics', VIEWER_TOKEN)).status).toBe(200)
    const answer = await service.ask()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  test.skipIf(!hasPromtool)('are what promtool accepts', async () => {
    const text = await (await changed()).text()
    // Three gauges of the library's own are named as counters are.
    const ours = text.replaceAll(/^.*\bnodejs_active_\w+_total\b.*\n/gm, '')
    expect(promtool(['check', 'metrics'], ours)).toBe('')
  })
})

test('has a value for each sample, before the event loop was ever measured, too', async () => {
  const observed = await ObservedService.start()
  const text = await (await observed.ask()).text()
  expect(text).toContain('# TYPE nodejs_eventloop_lag_mean_seconds gauge')
  expect(text).not.toMatch(/ nan$/im)
})
