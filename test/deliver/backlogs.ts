import { setImmediate as nextTurn } from 'node:timers/promises'
import { subscription } from '../support/subscription.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { scripted, SECRET } from './conformance/sending.ts'
import { EndpointWorld } from './endpoint-world.ts'
import { status, type ReceivedRequest, type ScriptedReceiver } from './scripted-receiver.ts'
import { until } from './until.ts'

/** One endpoint with a backlog, and what is measured of it. `npm test` takes small ones, the long suite large ones. */

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const idOf = ({ headers }: ReceivedRequest): string => String(headers['webhook-id'])
export const event = (n: number): string => `evt_${String(n).padStart(6, '0')}`
export const events = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => event(from + n))

export interface World {
  readonly life: EndpointWorld
  readonly erp: ScriptedReceiver
}

export async function world(concurrency = 4): Promise<World> {
  const erp = await scripted(status(500))
  const channel = webhookChannel({ url: erp.url, secrets: [SECRET], concurrency })
  const life = await EndpointWorld.create(subscription('erp', { channel }))
  return { life, erp }
}

/** Lets what is under way end, and what comes of it, until nothing more is sent without time passing. */
export async function quiet({ requests }: ScriptedReceiver): Promise<void> {
  for (let turns = 0, before = requests.length; turns < 100; turns += 1) {
    await nextTurn()
    if (requests.length !== before) [turns, before] = [0, requests.length]
  }
}

export const attempts = async (life: EndpointWorld, id: string) =>
  (await deliveriesOf(life.store, { id, limit: 1 }))[0]?.attempts

export const counts = async (life: EndpointWorld) => (await life.store.endpoints())[0]?.counts

/** How many seconds pass until so many events have arrived. */
export async function secondsUntil({ life, erp }: World, delivered: number): Promise<number> {
  const from = life.clock.now()
  const STEP = SECOND / 4
  await until(() => erp.requests.length > 0)
  for (await quiet(erp); (await counts(life))?.delivered !== delivered; await quiet(erp)) {
    if (life.clock.now() > from + HOUR) throw new Error('They never arrived.')
    await life.clock.advance(STEP)
  }
  return (life.clock.now() - from) / SECOND
}

/** How many seconds a backlog takes whose oldest events are always refused. */
export async function secondsBehindRefused({ refused, all }: { refused: number; all: number }): Promise<number> {
  const { life, erp } = await world(16)
  const poison = new Set(events(1, refused))
  erp.answer = (request) => status(poison.has(idOf(request)) ? 500 : 200)(request)
  life.retryMs = Array<number>(60).fill(SECOND)
  await life.ring('erp', all)
  life.start()
  return await secondsUntil({ life, erp }, all - refused)
}

/** An endpoint that takes so many in each second and refuses the others: how long a backlog takes, in how many requests. */
export async function flapping({ events: all, aSecond }: { events: number; aSecond: number }) {
  const { life, erp } = await world(16)
  const taken = new Map<number, number>()
  erp.answer = (request) => {
    const second = Math.floor(life.clock.now() / SECOND)
    const amount = taken.get(second) ?? 0
    taken.set(second, amount + 1)
    status(amount < aSecond ? 200 : 500)(request)
  }
  life.retryMs = Array<number>(60).fill(SECOND)
  await life.ring('erp', all)
  life.start()
  const seconds = await secondsUntil({ life, erp }, all)
  return { seconds, requests: erp.requests.length }
}

interface FiveASecond {
  readonly events: number
  /** Steps of a second, then of two minutes. */
  readonly seconds: number
  readonly later: number
}

/** How many events arrive at an endpoint that takes five of each step. */
export async function deliveredByFiveASecond({ events: all, seconds, later }: FiveASecond): Promise<number> {
  const { life, erp } = await world(20)
  life.retryMs = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]
  let taken = 0
  erp.answer = (request) => status((taken += 1) <= 5 ? 200 : 503)(request)
  await life.ring('erp', all)
  for (let step = 0; step < seconds + later; step += 1) {
    taken = 0
    await life.deliver()
    life.clock.jump(life.clock.now() + (step < seconds ? SECOND : 2 * MINUTE))
  }
  return (await counts(life))?.delivered ?? 0
}
