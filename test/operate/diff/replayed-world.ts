import { onTestFinished } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { createDeliverer } from '../../../src/deliver/deliverer.ts'
import { createLogger } from '../../../src/log.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { messageContext } from '../../../src/operate/message-context.ts'
import { ScriptedReceiver, status } from '../../deliver/scripted-receiver.ts'
import { Polling, shipment, WATCH } from '../../poll/polling.ts'
import { deliveriesOf } from '../../support/log-rows.ts'
import { MailServer } from '../../support/mail-server.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
const NEVER = new AbortController().signal
const HOUR = 3_600_000
const STEPS = 34
const SHIPMENTS = 6
/** Longer than a chat gathers. */
const GATHERED_MS = 120_000

/** Where all that is sent arrives, whoever sends it. */
export interface Receivers {
  readonly http: ScriptedReceiver
  readonly mail: MailServer
}

export async function receivers(): Promise<Receivers> {
  const http = await ScriptedReceiver.start(status(200, {}, 'ok'))
  onTestFinished(async () => await http[Symbol.asyncDispose]())
  return { http, mail: await MailServer.start() }
}

/** How an event arrived. */
export interface Arrival {
  readonly at: number
  /** What was sent, without its number; null where several events came together. */
  readonly text: string | null
}

export interface Lived {
  readonly polling: Polling
  /** By subscription and event. */
  readonly arrived: ReadonlyMap<string, ReadonlyMap<string, Arrival>>
  /** By subscription. */
  readonly messages: ReadonlyMap<string, number>
}

/** Numbers that look like chance and are the same each time. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Shipments whose dates creep and jump, whose notes and states change, and that come late. */
export function script(seed: number): readonly (readonly JsonObject[])[] {
  const random = chance(seed)
  const arrival = Array.from({ length: SHIPMENTS }, (_, nth) => Date.UTC(2026, 11, 10 + nth))
  const notes = Array.from({ length: SHIPMENTS }, () => 0)
  const names = Array.from({ length: SHIPMENTS }, () => 0)
  return Array.from({ length: STEPS }, (_, step) => {
    const moving = Math.floor(random() * SHIPMENTS)
    const [what, far] = [random(), random()]
    if (what < 0.6) arrival[moving] = (arrival[moving] ?? 0) + Math.round((far - 0.4) * 30) * HOUR
    else if (what < 0.8) notes[moving] = step
    else names[moving] = step
    return arrival.slice(0, step < 6 ? SHIPMENTS - 2 : SHIPMENTS).map((at, nth) =>
      shipment(`SHP-${nth}`, {
        name: `Shoes ${names[nth]}`,
        freight_mode: nth % 2 === 0 ? 'ocean' : 'air',
        ...(nth !== 1 && { note: `note ${notes[nth]}` }),
        main_tracking_dates: { arrival_date: { date: new Date(at).toISOString(), status: 'estimated' } },
      }),
    )
  })
}

/** Lives through a script under a configuration: polls it and delivers, an hour and a half from step to step. */
export async function live(
  config: Config,
  steps: readonly (readonly JsonObject[])[],
  { http, mail }: Receivers,
): Promise<Lived> {
  const polling = new Polling({ watch: { shipments: WATCH.shipments } })
  onTestFinished(async () => await polling[Symbol.asyncDispose]())
  const { clock, platform, store } = polling
  polling.subscriptions = config.subscriptions
  await store.syncSubscriptions(config.subscriptions, clock.now())
  const arrived = new Map(config.subscriptions.map(({ name }) => [name, new Map<string, Arrival>()]))
  const messages = new Map<string, number>()
  const { links, zoneOf } = messageContext(() => config)
  // At last a day and a night on which nothing happens: what waits for an hour is sent.
  for (const shown of [...steps, ...Array.from({ length: 24 }, () => null)]) {
    if (shown !== null) {
      platform.shipments = [...shown]
      await polling.pass()
    }
    clock.jump(clock.now() + GATHERED_MS)
    const [requests, mails] = [http.requests.length, mail.mails.length]
    await using deliverer = createDeliverer({
      store,
      clock,
      log: LOG,
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => config.subscriptions,
      settings: () => ({ allowNetworks: ['127.0.0.0/8'], retryMs: [HOUR] }),
      version: '9.9.9',
      links,
      zoneOf,
    })
    await deliverer.drain(NEVER)
    for (const { name, channel } of config.subscriptions) {
      const sent =
        channel.kind === 'email'
          ? mail.mails.slice(mails).map(() => ({ id: null, text: null }))
          : http.requests.slice(requests).flatMap(({ body, headers, path }) => {
              if (path !== `/${name}`) return []
              return [{ id: String(headers['webhook-id'] ?? ''), text: body.replace(/^\{"delivery":\{[^}]*\},/, '{') }]
            })
      messages.set(name, (messages.get(name) ?? 0) + sent.length)
      const known = arrived.get(name) ?? new Map<string, Arrival>()
      const fresh = (await deliveriesOf(store, { subscription: name, states: ['delivered'] })).filter(
        ({ eventId }) => !known.has(eventId),
      )
      for (const { eventId } of fresh) {
        const own = sent.find(({ id }) => id === eventId) ?? (fresh.length === 1 && sent.length === 1 ? sent[0] : null)
        known.set(eventId, { at: clock.now(), text: own?.text ?? null })
      }
    }
    clock.jump(clock.now() + 1.5 * HOUR - GATHERED_MS)
  }
  return { polling, arrived, messages }
}
