import { expect, test } from 'vitest'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { LivingMessage } from '../../../../src/model/living-message.ts'
import { deliveriesOf } from '../../../support/log-rows.ts'
import { until } from '../../until.ts'
import { Living } from './living-ledger.ts'

const SECOND = 1_000

function to(status: string): Partial<ShipbellEvent> {
  return { extras: { from: 'draft', to: status, regression: false } }
}

test('a shipment has one message, which shows what is newest; its thread has each entry after the first', async () => {
  const living = await Living.open()
  await living.ring('SHP-1', to('booked'))
  await living.drain()
  const [first] = living.slack.tops
  expect(first).toMatchObject({
    channel: 'C0123',
    metadata: { event_type: 'shipbell_shipment', event_payload: { account: 'acme', shipment: 'SHP-1' } },
  })
  expect(first?.text).toContain('booked')
  await living.ring('SHP-1', to('in_progress'))
  await living.ring('SHP-2', to('booked'))
  await living.drain()
  expect(living.slack.tops.map(({ text }) => text)).toEqual([
    expect.stringContaining('in progress'),
    expect.stringContaining('booked'),
  ])
  expect(living.log).toEqual([expect.stringContaining('in progress')])
  expect(living.slack.callsOf('conversations.history')).toEqual([])
  expect(await living.states()).toEqual(['delivered', 'delivered', 'delivered'])
})

test('what rings together about a shipment is one entry, and what is of none a message of its own', async () => {
  const living = await Living.open()
  await living.ring('SHP-1', { extras: { from: 'draft', to: 'booked', regression: false } })
  await living.ring('SHP-1', { extras: { from: 'booked', to: 'in_progress', regression: false } })
  await living.ring(null, { type: 'location.created', extras: {}, changes: null, before: null })
  await living.drain()
  const [shipment, place] = living.slack.tops
  expect(living.slack.tops).toHaveLength(2)
  expect(shipment?.blocks[0]).toMatchObject({ type: 'header', text: { text: 'Ünïcode ☃' } })
  expect(JSON.stringify(shipment?.blocks)).toMatch(/draft.*in progress/s)
  expect(place?.metadata.event_type).toBe('shipbell_events')
  expect(living.log).toEqual([])
})

test('a message whose answer was lost is found by what it carries, never posted twice', async () => {
  const living = await Living.open()
  for (const shipment of ['SHP-2', 'SHP-3', 'SHP-4']) await living.ring(shipment)
  await living.drain()
  living.slack.fail('chat.postMessage', 'taken, cut')
  const lost = await living.ring('SHP-1', to('booked'))
  for (const shipment of ['SHP-5', 'SHP-6']) await living.ring(shipment)
  await living.drain()
  await living.ring('SHP-1', to('in_progress'))
  await living.later()
  const mine = living.slack.tops.filter(({ metadata }) => metadata.event_payload['shipment'] === 'SHP-1')
  expect(mine).toHaveLength(1)
  expect(mine[0]?.text).toContain('in progress')
  expect(mine[0] && living.slack.thread(mine[0])).toHaveLength(1)
  expect(await living.store.livingMessage({ subscription: 'ops', account: 'acme', shipment: 'SHP-1' })).toMatchObject({
    beganWith: [lost],
  })
  expect(new Set(await living.states())).toEqual(new Set(['delivered']))
  expect(living.slack.tops).toHaveLength(6)
})

test('what Slack answers means the same where a word of it is a secret of somebody, and is shown to nobody', async () => {
  const living = await Living.open({ hidden: ['true', 'messages', 'SHP-1', 'shipment'] })
  living.slack.fail('chat.postMessage', 'taken, cut')
  await living.ring('SHP-1', to('booked'))
  await living.drain()
  const id = await living.ring('SHP-1', to('in_progress'))
  await living.later()
  expect(living.slack.tops).toHaveLength(1)
  expect(await living.states()).toEqual(['delivered', 'delivered'])
  const [row] = await deliveriesOf(living.store, { id })
  const answers = (await living.store.attempts(row?.id ?? '')).map(({ answer }) => answer)
  expect(answers.at(-1)).toContain('"ok":[redacted]')
  expect(answers.join(' ')).not.toMatch(/true|SHP-1/)
})

test('a message of another subscription in the channel is not taken for one of its own', async () => {
  const living = await Living.open()
  await living.ring('SHP-1')
  await living.drain()
  const [other] = living.slack.tops
  const blocks = other?.blocks.map((block) => ({
    ...block,
    ...('block_id' in block && { block_id: 'shipbell:other' }),
  }))
  if (other !== undefined && blocks !== undefined) living.slack.messages = [{ ...other, blocks }]
  await living.store.saveLivingMessage({
    subscription: 'ops',
    account: 'acme',
    shipment: 'SHP-1',
    channel: 'C0123',
    ts: null,
    entry: null,
    beganWith: [],
    shown: [],
    sequence: 0,
    postedAt: living.clock.now(),
    toldAt: living.clock.now(),
  })
  await living.ring('SHP-1')
  await living.drain()
  expect(living.slack.tops).toHaveLength(2)
})

test('what was cut before Slack took it is posted again', async () => {
  const living = await Living.open()
  living.slack.fail('chat.postMessage', 'cut')
  await living.ring('SHP-1')
  await living.drain()
  expect(living.slack.tops).toHaveLength(0)
  await living.later()
  expect(living.slack.tops).toHaveLength(1)
  expect(living.slack.callsOf('conversations.history')).toHaveLength(1)
})

test('a process that is killed between the post and its note finds the message', async () => {
  const living = await Living.open()
  await living.ring('SHP-1')
  let isDead = false
  const save = async (message: LivingMessage): Promise<void> => {
    isDead ||= message.ts !== null
    if (isDead) throw new Error('killed')
    await living.store.saveLivingMessage(message)
  }
  await living.drain({ ...living.store, saveLivingMessage: save })
  expect(living.slack.tops).toHaveLength(1)
  await living.later()
  expect(living.slack.tops).toHaveLength(1)
  expect(living.log).toEqual([])
  expect(await living.states()).toEqual(['delivered'])
})

test('an entry of the thread whose answer was lost is not told again', async () => {
  const living = await Living.open()
  await living.ring('SHP-1', to('booked'))
  await living.drain()
  living.slack.fail('chat.postMessage', 'taken, cut')
  await living.ring('SHP-1', to('in_progress'))
  await living.drain()
  await living.ring('SHP-1', to('finished'))
  await living.later()
  expect(living.log).toHaveLength(2)
  expect(await living.states()).toEqual(['delivered', 'delivered', 'delivered'])
})

test('an older event that is told late is an entry; the message shows the newest', async () => {
  const living = await Living.open()
  await living.ring('SHP-1', to('draft'))
  await living.drain()
  living.slack.fail('chat.update', { error: 'fatal_error' })
  await living.ring('SHP-1', to('booked'))
  await living.drain()
  await living.ring('SHP-1', to('finished'))
  await living.clock.advance(2 * SECOND)
  await living.drain()
  await living.later()
  expect(living.slack.tops[0]?.text).toContain('finished')
  expect(living.log).toEqual([expect.stringContaining('finished'), expect.stringContaining('booked')])
})

test.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  '%s begins a new message',
  async (error) => {
    const living = await Living.open()
    await living.ring('SHP-1', to('booked'))
    await living.drain()
    if (error === 'message_not_found') living.slack.messages = []
    else living.slack.fail('chat.update', { error })
    await living.ring('SHP-1', to('in_progress'))
    await living.drain()
    await living.ring('SHP-1', to('finished'))
    await living.drain()
    expect(living.slack.tops.at(-1)?.text).toContain('finished')
    expect(living.slack.tops).toHaveLength(error === 'message_not_found' ? 1 : 2)
  },
)

test.each(['channel_not_found', 'is_archived', 'not_in_channel', 'invalid_auth', 'token_revoked'])(
  '%s is the error of the endpoint',
  async (error) => {
    const living = await Living.open()
    await living.ring('SHP-1')
    living.slack.broken = error
    await living.drain()
    const [row] = await deliveriesOf(living.store, { limit: 1 })
    expect(row).toMatchObject({ state: 'pending', attempts: 1, lastError: expect.stringContaining(error) })
    living.slack.broken = null
    await living.later()
    expect(await living.states()).toEqual(['delivered'])
    expect(living.slack.tops).toHaveLength(1)
    expect(living.lines.join('')).not.toContain(living.slack.token)
  },
)

test('a limit makes everything wait as long as it says, and costs nobody else an attempt', async () => {
  const living = await Living.open()
  for (const shipment of ['SHP-1', 'SHP-2', 'SHP-3']) await living.ring(shipment)
  living.slack.fail('chat.postMessage', { status: 429, headers: { 'retry-after': '7' } })
  living.run()
  await until(async () => (await deliveriesOf(living.store, { limit: 10 })).some(({ attempts }) => attempts === 1))
  await living.clock.advance(6 * SECOND)
  expect(living.slack.calls).toHaveLength(1)
  await living.clock.advance(2 * SECOND)
  await until(() => living.slack.tops.length === 3)
  await until(async () => (await living.states()).every((state) => state === 'delivered'))
  const rows = await deliveriesOf(living.store, { limit: 10 })
  expect(rows.map(({ attempts }) => attempts).toSorted((a, b) => a - b)).toEqual([1, 1, 2])
})

test('a test is a message of its own', async () => {
  const living = await Living.open()
  await living.ring('SHP-1', { cause: 'test' })
  await living.drain()
  expect(living.slack.tops[0]?.metadata.event_type).toBe('shipbell_events')
  expect(await living.store.livingMessage({ subscription: 'ops', account: 'acme', shipment: 'SHP-1' })).toBeNull()
})
