import { expect, test } from 'vitest'
import { verify } from '../../src/events/index.js'
import { ring, sampleEvent } from '../store/samples.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Desk, TOKEN } from './desk.ts'

test('a subscription is told how far it is complete, signed and in no ledger', async () => {
  const desk = await Desk.open()
  await ring(desk.store, [sampleEvent('evt_1')], ['marked'])
  const advanced = async () => {
    await desk.clock.advance(1_000)
    return desk.receiver.watermarks.length
  }
  await expect.poll(advanced).toBeGreaterThan(3)
  const last = desk.receiver.watermarks.at(-1)
  if (last === undefined) throw new Error('There is none.')
  expect(last.headers.get('webhook-id')).toMatch(/^wm_[0-9a-f]{40}$/)
  const event = await verify(last.headers, last.body, SECRET, { toleranceSeconds: 1e12 })
  expect(event).toMatchObject({
    type: 'shipbell.watermark',
    cause: 'watermark',
    sequence: null,
    subject: { resource: 'subscription', id: 'marked' },
    data: { series: expect.stringMatching(/^[0-9a-f]{8}$/), position: 1, complete_through: 1 },
  })
  expect(event).not.toHaveProperty('delivery')
  const endpoint = await desk.ask('/api/v1/subscriptions/marked', { token: TOKEN })
  expect(endpoint.json).toMatchObject({ state: 'ok', failures_in_a_row: 0, last_error: null })
  const rows = await desk.ask('/api/v1/deliveries?subscription=marked', { token: TOKEN })
  expect(rows.json).toMatchObject({ items: [{ event_id: 'evt_1', attempts: 1 }] })
})
