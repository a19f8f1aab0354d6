import { SpanStatusCode, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ObservedService, TOKEN } from '../serve/metrics/observed-service.ts'
import { API_KEY } from '../support/loopback-platform.ts'
import { SECRET } from '../support/loopback-receiver.ts'

const SHIPMENT = { platform_shipment_id: 'SHP-1', name: 'First', status: 'booked' }

/** What an operator loads with `node --import`. */
function loadSdk(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  onTestFinished(async () => {
    trace.disable()
    await provider.shutdown()
  })
  return exporter
}

describe('traces', () => {
  test('lead from a read to its commit, and from there to the deliveries of its events', async () => {
    const exporter = loadSdk()
    const service = await ObservedService.start()
    service.platform.shipments = [SHIPMENT]
    await service.once()
    exporter.reset()
    service.platform.shipments = [{ ...SHIPMENT, status: 'in_progress' }]
    service.wait(60_000)
    await service.once()
    const spans = exporter.getFinishedSpans()
    const deliver = spans.find(({ name }) => name === 'deliver')
    expect(deliver?.attributes).toMatchObject({
      'shipbell.account': 'acme',
      'shipbell.subscription': 'erp',
      'shipbell.event.type': 'shipment.status_changed',
      'shipbell.outcome': 'delivered',
      'http.response.status_code': 200,
    })
    const read = spans.find((span) => span.spanContext().spanId === deliver?.links[0]?.context.spanId)
    expect(read?.name).toBe('read')
    expect(read?.attributes).toMatchObject({
      'shipbell.account': 'acme',
      'shipbell.resource': 'shipments',
      'shipbell.outcome': 'ok',
      'http.response.status_code': 200,
    })
    const commit = spans.find((span) => span.parentSpanContext?.spanId === read?.spanContext().spanId)
    expect(commit?.name).toBe('commit')
    expect(commit?.attributes).toMatchObject({ 'shipbell.events': 1, 'shipbell.deliveries': 1 })
  })

  test('record what failed, and hold no secret and nothing of a record', async () => {
    const exporter = loadSdk()
    const service = await ObservedService.start()
    service.platform.shipments = [SHIPMENT]
    service.receiver.answer = () => 500
    await service.once()
    service.platform.replace = (path) =>
      path.includes('invoices') ? new Response('{"lines": "SHP-1"}', { status: 200 }) : null
    service.wait(60_000)
    const isBroken = (): boolean =>
      exporter.getFinishedSpans().some(({ attributes }) => attributes['error.type'] === 'broken')
    await service.onceUntil(async () => isBroken())
    const spans = exporter.getFinishedSpans()
    const failures = spans.filter(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(new Set(failures.map(({ attributes, name }) => `${name} ${String(attributes['error.type'])}`))).toEqual(
      new Set(['read broken', 'deliver 500']),
    )
    const all = JSON.stringify(
      spans.map(({ attributes, events, name, status }) => ({ attributes, events, name, status })),
    )
    for (const hidden of ['SHP-1', 'First', API_KEY, SECRET, TOKEN]) expect(all).not.toContain(hidden)
  })

  test('that an SDK fails to keep disturb nothing', async () => {
    const provider = new BasicTracerProvider({
      spanProcessors: [
        {
          onStart: () => {
            throw new Error('no room')
          },
          onEnd: () => undefined,
          forceFlush: async () => undefined,
          shutdown: async () => undefined,
        },
      ],
    })
    trace.setGlobalTracerProvider(provider)
    onTestFinished(() => trace.disable())
    const service = await ObservedService.start()
    service.platform.shipments = [SHIPMENT]
    await service.once()
    expect(service.receiver.events.length).toBe(3)
  })
})
