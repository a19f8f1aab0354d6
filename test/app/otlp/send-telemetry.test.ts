import { expect, onTestFinished, test, vi } from 'vitest'
import { ObservedService } from '../../serve/metrics/observed-service.ts'
import { API_KEY } from '../../support/loopback-platform.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import { ofTest } from '../../support/of-test.ts'
import { attributesOf, Collector, listOf, messageOf } from './collector.ts'

const SHIPMENT = { platform_shipment_id: 'SHP-1', name: 'First', status: 'booked' }

/** A service that sends to a collector, each few milliseconds, until the test ends. */
async function start(variables: Readonly<Record<string, string>> = {}) {
  const collector = ofTest(await Collector.start())
  const named = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_METRIC_EXPORT_INTERVAL: '20',
  }
  for (const [name, value] of Object.entries({ ...named, ...variables })) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const service = await ObservedService.start()
  service.platform.shipments = [SHIPMENT]
  await service.once()
  service.platform.shipments = [{ ...SHIPMENT, status: 'in_progress' }]
  service.wait(60_000)
  await service.once()
  return { collector, service }
}

test('reads, commits and deliveries arrive as spans, and nothing of a record with them', async () => {
  const { collector } = await start()
  const named = (name: string) => collector.spans.filter((span) => span['name'] === name)
  const told = () =>
    named('deliver').find((span) => attributesOf(span)['shipbell.event.type'] === 'shipment.status_changed')
  await vi.waitFor(() => expect(told()).toBeDefined(), { timeout: 10_000 })
  const deliver = told()
  const [link] = listOf(deliver ?? {}, 'links')
  await expect.poll(() => named('read').some(({ spanId }) => spanId === link?.['spanId'])).toBe(true)
  const read = named('read').find(({ spanId }) => spanId === link?.['spanId']) ?? {}
  const commit = named('commit').find(({ parentSpanId }) => parentSpanId === read['spanId']) ?? {}
  expect(attributesOf(read)).toMatchObject({ 'shipbell.account': 'acme', 'http.response.status_code': 200 })
  expect(attributesOf(commit)).toMatchObject({ 'shipbell.events': 1, 'shipbell.deliveries': 1 })
  expect(attributesOf(deliver ?? {})).toMatchObject({ 'shipbell.subscription': 'erp', 'shipbell.outcome': 'delivered' })
  expect([read['kind'], commit['kind'], commit['traceId']]).toEqual([3n, 1n, read['traceId']])
  expect(Number(read['endTime'])).toBeGreaterThanOrEqual(Number(read['startTime']))
  const { 'service.name': name, 'telemetry.sdk.name': sdk } = collector.resources[0] ?? {}
  expect([name, sdk]).toEqual(['shipbell', 'opentelemetry'])
  const all = JSON.stringify(collector.requests, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  for (const hidden of ['SHP-1', 'First', API_KEY, SECRET]) expect(all).not.toContain(hidden)
  expect(collector.problems).toEqual([])
})

test('metrics arrive as /metrics has them', async () => {
  const { collector, service } = await start()
  const scraped = await service.scrape()
  const requests = () => messageOf(collector.metrics.get('shipbell_requests_total'), 'sum')
  const ok = () =>
    listOf(requests(), 'points').find((point) => {
      const { outcome, resource } = attributesOf(point)
      return outcome === 'ok' && resource === 'shipments'
    })
  const expected = scraped.get('shipbell_requests_total{account="acme",outcome="ok",resource="shipments"}')
  expect(expected).toBeGreaterThan(1)
  await vi.waitFor(() => expect(ok()?.['double']).toBe(expected), { timeout: 10_000 })
  expect([requests()['isMonotonic'], requests()['temporality']]).toEqual([true, 2n])
  const names = new Set([...(await service.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
  const withoutValues = [...names].filter((name) => !collector.metrics.has(name))
  expect(withoutValues.filter((name) => scraped.has(name))).toEqual([])
  expect([...collector.metrics.keys()].filter((name) => !names.has(name))).toEqual([])
  const attempts = collector.metrics.get('shipbell_delivery_attempt_duration_seconds') ?? {}
  const [point = {}] = listOf(messageOf(attempts, 'histogram'), 'points')
  const counts = [point['counts'] ?? []].flat().map(Number)
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(Number(point['count']))
  expect(counts).toHaveLength([point['bounds'] ?? []].flat().length + 1)
  expect([attempts['unit'], attributesOf(point)]).toEqual(['s', { subscription: 'erp' }])
})

test('the standard variables name the service, sample, and switch off', async () => {
  const variables = { OTEL_SERVICE_NAME: 'bell', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' }
  const { collector } = await start({
    ...variables,
    OTEL_TRACES_SAMPLER: 'always_off',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=7',
  })
  await vi.waitFor(() => expect(collector.metrics.size).toBeGreaterThan(0), { timeout: 10_000 })
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'bell', 'deployment.environment.name': 'test' })
  expect([collector.spans.length, collector.requests[0]?.headers.get('x-key')]).toEqual([0, '7'])
  const { collector: none } = await start({ OTEL_METRICS_EXPORTER: 'none', OTEL_SDK_DISABLED: 'true' })
  expect(none.requests).toEqual([])
})

test('a collector that refuses what it is sent delays nothing', async () => {
  const collector = ofTest(await Collector.start())
  collector.answer = () => 400
  const { service } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  expect(service.receiver.events).toHaveLength(4)
})
