import { describe, expect, it } from 'vitest'
import { RenderedBodies } from '../../src/deliver/rendered-bodies.ts'
import { FORMATS, payloadBody, PAYLOADS } from '../../src/model/payload.ts'
import { sampleEvent } from './sample-event.ts'

const FULL = { payload: 'full', format: 'standard' } as const

describe('bodies to send', () => {
  it('are made once per event and shape, whoever asks', () => {
    const bodies = new RenderedBodies()
    for (const payload of PAYLOADS) {
      for (const format of FORMATS) {
        const shape = { payload, format, timeoutMs: 1 }
        const body = bodies.of(sampleEvent(), shape)
        expect(String(body.bytes)).toBe(payloadBody(sampleEvent(), { payload, format }))
        expect(bodies.of(sampleEvent(), { payload, format })).toBe(body)
      }
    }
    expect(bodies.of(sampleEvent({ id: 'evt_0002' }), FULL)).not.toBe(bodies.of(sampleEvent(), FULL))
  })

  it('of a CloudEvent are made once per source', () => {
    const bodies = new RenderedBodies()
    const shape = { payload: 'full', format: 'cloudevents' } as const
    const [one, other] = ['/a', '/b'].map((source) => String(bodies.of(sampleEvent(), { ...shape, source }).bytes))
    expect([one, other].map((body = '') => JSON.parse(body).source)).toEqual(['/a/acme', '/b/acme'])
  })

  it('are kept up to 1 MiB, those used last', { tags: 'long' }, () => {
    const bodies = new RenderedBodies()
    const large = (id: string) => bodies.of(sampleEvent({ id, object: { pad: 'x'.repeat(200_000) } }), FULL)
    const [first, second] = [large('evt_first'), large('evt_second')]
    for (let count = 0; count < 60; count += 1) {
      large(`evt_${count}`)
      expect(large('evt_first')).toBe(first)
    }
    expect(large('evt_second')).not.toBe(second)
  })
})
