import { beforeEach, expect, test } from 'vitest'
import type { EndpointWatch } from '../../src/deliver/endpoint-watch.ts'
import { ShipbellError } from '../../src/errors.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import { attempt, success } from '../store/samples.ts'
import { subscription } from '../support/subscription.ts'
import { EndpointWorld } from './endpoint-world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let life: EndpointWorld
let watch: EndpointWatch

beforeEach(async () => {
  life = await EndpointWorld.create(subscription('erp'))
  watch = life.watch()
})

/** Ends the delivery of a new event; resolves to what the deliverer would tell the watch. */
async function ended(kind: 'delivered' | 'exhausted'): Promise<readonly AttemptResult[]> {
  const { store, clock } = life
  await life.ring('erp')
  const claim = { owner: 'test', now: clock.now(), leaseMs: MINUTE, slots: new Map([['erp', 9]]) }
  const made = (kind === 'delivered' ? success : attempt)({ at: clock.now() })
  const attemptResults = (await store.claim(claim)).map(({ id }): AttemptResult => ({
    id,
    attempt: made,
    result: { kind },
  }))
  await store.settle('test', attemptResults)
  return attemptResults
}

async function followed(attemptResults: readonly AttemptResult[] = []): Promise<readonly string[]> {
  watch.follow(attemptResults)
  await watch.idle()
  return await life.emitted()
}

test('a recovery that has to wait for its hour of rest is told when that has passed, without a new outcome', async () => {
  for (const kind of ['exhausted', 'delivered', 'exhausted', 'delivered'] as const) await followed(await ended(kind))
  expect(await life.emitted()).toEqual(['erp exhausted', 'erp recovered', 'erp exhausted'])
  life.clock.jump(life.clock.now() + HOUR)
  expect(await followed()).toEqual(['erp exhausted', 'erp recovered', 'erp exhausted', 'erp recovered'])
})

test('outcomes that come while it tells of earlier ones are told, too', async () => {
  const gate = Promise.withResolvers<void>()
  const ring = life.ringing()
  watch = life.watch(async (...rung) => {
    await gate.promise
    return await ring(...rung)
  })
  watch.follow(await ended('exhausted'))
  watch.follow(await ended('delivered'))
  gate.resolve()
  await watch.idle()
  expect(await life.emitted()).toEqual(['erp exhausted', 'erp recovered'])
  expect(watch.rung).toBe(2)
})

test('what cannot be told now is told a minute later', async () => {
  let failures = 1
  const ring = life.ringing()
  watch = life.watch(async (...rung) => {
    failures -= 1
    if (failures >= 0) throw new ShipbellError('store_unusable', 'The disk is full.')
    return await ring(...rung)
  })
  expect(await followed(await ended('exhausted'))).toEqual([])
  expect(await followed()).toEqual([])
  life.clock.jump(life.clock.now() + MINUTE)
  expect(await followed()).toEqual(['erp exhausted'])
})

test('where the clock is set back, a look is no later and a recovery is told', async () => {
  for (const kind of ['exhausted', 'delivered', 'exhausted', 'delivered'] as const) await followed(await ended(kind))
  expect(await life.emitted()).toEqual(['erp exhausted', 'erp recovered', 'erp exhausted'])
  life.clock.set(life.clock.now() - 24 * HOUR)
  life.clock.jump(life.clock.now() + MINUTE)
  expect((await followed()).filter((emitted) => emitted === 'erp recovered')).toHaveLength(2)
})

test('healthy endpoints cost one look at the start, and no more', async () => {
  let looks = 0
  const { store } = life
  const endpointFacts = async () => {
    looks += 1
    return await store.endpointFacts()
  }
  watch = life.watch(life.ringing(), { ...store, endpointFacts })
  for (let n = 0; n < 5; n += 1) await followed(await ended('delivered'))
  life.clock.jump(life.clock.now() + HOUR)
  await followed()
  expect(looks).toBe(1)
})

test('nothing is told of an endpoint that the file disables', async () => {
  const attemptResults = await ended('exhausted')
  await life.configure(subscription('erp', { enabled: false }))
  expect(await followed(attemptResults)).toEqual([])
})
