import type { EventDraft } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { AttemptResult } from '../../../src/model/attempt-result.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { attempt, batch, sampleEvent, sampleProvenance, sampleState, success, write } from '../../store/samples.ts'
import { worldShipment } from '../world-shipment.ts'

/** They stay the same ones, so that nothing grows with the records. */
const RECORDS = 1_000
const COMMITS_A_DAY = 12
const STATUSES = ['booked', 'in_progress', 'delayed', 'completed'] as const
const LANES = ['erp', 'ops'] as const

/** An account in balance: so many events a day, each for two endpoints; `idle` is disabled and hears one a week, which is held until it is discarded. */
export class SimulatedLife {
  readonly #store: Store
  readonly #eventsADay: number
  readonly #versions = new Map<string, number>()
  #events = 0

  constructor(store: Store, eventsADay: number) {
    this.#store = store
    this.#eventsADay = eventsADay
  }

  async begin(at: number): Promise<void> {
    await this.#store.syncSubscriptions(
      [...LANES, 'idle'].map((name) => ({ name, enabled: true })),
      at,
    )
    await this.#store.disable('idle', { reason: 'command', at: at })
  }

  async day(day: number, at: number): Promise<void> {
    const share = Math.ceil(this.#eventsADay / COMMITS_A_DAY)
    for (let commit = 0; commit < COMMITS_A_DAY; commit += 1) {
      const now = at + commit * 3_600_000
      await this.#commit(share, { now, held: day % 7 === 0 && commit === 0 })
      for (const subscription of LANES) await this.#deliver(subscription, now + 1_000)
    }
  }

  async #commit(amount: number, { held, now }: { readonly held: boolean; readonly now: number }): Promise<void> {
    const changed = Array.from({ length: amount }, () => this.#change(now))
    const events = changed.map(({ event }) => event)
    const deliveries = events.flatMap(({ id }, index) =>
      [...LANES, ...(held && index === 0 ? ['idle'] : [])].map((subscription) => ({ eventId: id, subscription })),
    )
    const provenance = sampleProvenance({ pass: { number: this.#events, startedAt: now } })
    await this.#store.commit(
      batch({ records: changed.map(({ record }) => record), events, deliveries, provenance, storedAt: now }),
    )
  }

  #change(now: number): { readonly event: EventDraft; readonly record: ReturnType<typeof write> } {
    this.#events += 1
    const nth = this.#events % RECORDS
    const id = `SHP-${nth}`
    const version = this.#versions.get(id) ?? 0
    this.#versions.set(id, version + 1)
    const [before, object] = [shown(nth, version), shown(nth, version + 1)]
    const [from, to] = [statusOf(version), statusOf(version + 1)]
    const previousEventId = version === 0 ? null : eventId(this.#events - RECORDS)
    const event = sampleEvent(eventId(this.#events), {
      subject: { resource: 'shipment', id, version: version + 1, previousEventId },
      timestamp: now,
      observed: { notBefore: now - 120_000, notAfter: now },
      object,
      before,
      changes: [{ path: '/status', from, to }],
      extras: { from, to, regression: false },
    })
    const told = { seen: object, reported: object, version: version + 1, lastEventId: event.id }
    const lastRead = { sentAt: now - 100, answeredAt: now }
    const expectedVersion = version === 0 ? null : version
    return { event, record: write(sampleState(id, { ...told, lastRead }), { expectedVersion }) }
  }

  /** Of a thousand one fails to the last. */
  async #deliver(subscription: string, at: number): Promise<void> {
    for (;;) {
      const claimed = await this.#store.claim({
        owner: 'bench',
        now: at,
        leaseMs: 60_000,
        slots: new Map([[subscription, 64]]),
      })
      if (claimed.length === 0) return
      await this.#store.settle(
        'bench',
        claimed.map(({ id }) => ({ id, ...outcomeOf(id, at) })),
      )
    }
  }
}

function outcomeOf(id: string, at: number): Pick<AttemptResult, 'attempt' | 'result'> {
  const chance = Number.parseInt(id.slice(-4), 16) % 1_000
  if (chance === 0) return { attempt: attempt({ at }), result: { kind: 'exhausted' } }
  return { attempt: success({ at, answer: 'taken' }), result: { kind: 'delivered' } }
}

function eventId(nth: number): string {
  return `evt_${nth.toString(16).padStart(40, '0')}`
}

function statusOf(version: number): string {
  return STATUSES[version % STATUSES.length] ?? 'booked'
}

function shown(nth: number, version: number): JsonObject {
  return { ...worldShipment(nth), status: statusOf(version), specific_instructions: `version ${version}` }
}
