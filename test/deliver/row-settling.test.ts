import { expect, test } from 'vitest'
import { RowSettling } from '../../src/deliver/row-settling.ts'
import { ShipbellError } from '../../src/errors.ts'
import { createLogger } from '../../src/log.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { scripted, SECRET } from './conformance/sending.ts'
import { EndpointWorld } from './endpoint-world.ts'
import { status } from './scripted-receiver.ts'

const MANY = 1_100
const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

async function gone() {
  const erp = await scripted(status(410))
  const channel = webhookChannel({ url: erp.url, secrets: [SECRET], concurrency: 1 })
  const life = await EndpointWorld.create(subscription('erp', { channel }))
  await life.ring('erp', MANY)
  await life.deliver()
  return { erp, life }
}

const counts = async (life: EndpointWorld) => (await life.store.endpoints())[0]?.counts

test('after a 410 nothing more is sent, and the rows are held slice by slice with pauses in between', async () => {
  const { erp, life } = await gone()
  expect(erp.requests).toHaveLength(1)
  expect((await counts(life))?.held).toBeLessThan(MANY)
  const stopping = new AbortController()
  const { store, clock } = life
  const slices: number[] = []
  const onSlice = (): void => void slices.push(clock.now())
  const ended = new RowSettling({ store, clock, log, onSlice }).run(stopping.signal)
  await clock.advance(0)
  expect(slices).toHaveLength(1)
  await clock.advance(100)
  expect(await counts(life)).toMatchObject({ held: MANY, pending: 0 })
  expect(new Set(slices).size).toBe(slices.length)
  await life.deliver()
  expect(erp.requests).toHaveLength(1)
  stopping.abort()
  await ended
})

test('what a process left unfinished the next one finishes, also what changed since', async () => {
  const { erp, life } = await gone()
  await life.restart()
  erp.answer = status(200)
  expect(await life.store.enable('erp', { at: life.clock.now(), discard: false })).toBeLessThan(MANY)
  await life.restart()
  const { store, clock } = life
  const ended = new RowSettling({ store, clock, log }).finish(new AbortController().signal)
  await clock.advance(100)
  await ended
  await life.deliver()
  expect(await counts(life)).toMatchObject({ delivered: MANY })
})

test('a store that fails is tried again', async () => {
  const { clock } = await EndpointWorld.create()
  let tried = 0
  const settleRows = async (): Promise<boolean> => {
    tried += 1
    if (tried === 1) throw new ShipbellError('store_unusable', 'The disk is full.')
    return true
  }
  const stopping = new AbortController()
  const ended = new RowSettling({ store: { settleRows }, clock, log }).run(stopping.signal)
  await clock.advance(1_000)
  expect(tried).toBe(2)
  stopping.abort()
  await ended
})
