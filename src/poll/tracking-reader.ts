import { detectChange } from '../detect/detect-change.ts'
import { fingerprint } from '../detect/fingerprint.ts'
import { isFresh } from '../detect/read-order.ts'
import type { AccountSettings } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import { summariseShipment } from '../model/shipment.ts'
import type { Platform } from '../platform/platform.ts'
import type { RecordWrite } from '../store/ports.ts'
import { ask } from './ask.ts'
import type { Committer } from './committer.ts'
import type { Gate } from './gate.ts'

export interface TrackingReaderOptions {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly gate: Gate
  readonly committer: Committer
}

export type TrackingRead =
  { readonly kind: 'read'; readonly events: number } | { readonly kind: 'failed'; readonly reason: string }

interface TrackingAnswer {
  readonly shipmentId: string
  /** null: 404, the read showed nothing. */
  readonly tracking: JsonObject | null
  readonly read: Read
  /** When watching of tracking started: what was known before has its first read in silence. */
  readonly watchedSince: number
}

/** Reads the tracking of one shipment and commits what it taught. */
export class TrackingReader {
  readonly #options: TrackingReaderOptions

  constructor(options: TrackingReaderOptions) {
    this.#options = options
  }

  async read(shipmentId: string, options: { signal: AbortSignal; watchedSince: number }): Promise<TrackingRead> {
    const { gate, platform } = this.#options
    const { signal, watchedSince } = options
    const request = { gate, signal, of: 'item' as const }
    const answer = await ask(async () => platform.item('tracking', shipmentId, signal), request)
    if (answer.kind === 'failed') return answer
    const events = await this.#apply({ shipmentId, tracking: answer.value, read: answer.read, watchedSince })
    return { kind: 'read', events }
  }

  async #apply(answer: TrackingAnswer): Promise<number> {
    const { account, committer } = this.#options
    const { shipmentId, tracking, read } = answer
    const events = await committer.commit(async () => {
      const nothing = { account: account.name, records: [], events: [] }
      const known = (await committer.store.known(account.name, 'tracking', [shipmentId])).get(shipmentId)
      if (!isFresh(read, known?.lastRead)) return nothing
      const print = tracking === null ? null : fingerprint(tracking)
      if (known !== undefined && print !== null && known.fingerprint === print) {
        return { ...nothing, unchanged: { resource: 'tracking', ids: [shipmentId], read } }
      }
      return { ...nothing, ...(await this.#detect(answer, print)) }
    })
    return events.length
  }

  async #detect(
    answer: TrackingAnswer,
    print: string | null,
  ): Promise<{ records: readonly RecordWrite[]; events: ReturnType<typeof detectChange>['events'] }> {
    const { account, committer } = this.#options
    const { shipmentId, tracking, read } = answer
    const before = (await committer.store.records(account.name, 'tracking', [shipmentId])).get(shipmentId) ?? null
    const shipment = (await committer.store.records(account.name, 'shipment', [shipmentId])).get(shipmentId)
    const detected = detectChange({
      account: account.name,
      resource: 'tracking',
      id: shipmentId,
      before,
      after: tracking,
      read,
      mode: before === null && this.#isBaseline(shipment, answer.watchedSince) ? 'silent' : 'ring',
      absentAt: null,
      shipment: shipment?.seen == null ? null : summariseShipment(shipmentId, shipment.seen),
    })
    const keepsBody = tracking === null && detected.state.seen !== null
    const write = {
      state: detected.state,
      fingerprint: keepsBody ? fingerprint(detected.state.seen) : print,
      expectedVersion: before?.version ?? null,
    }
    return { records: [write], events: detected.events }
  }

  /** The first read of an item known at its list's baseline is silent (contract section 3.1). */
  #isBaseline(shipment: RecordState | undefined, watchedSince: number): boolean {
    if (this.#options.account.firstPoll === 'emit' || shipment === undefined) return false
    return shipment.atBaseline || shipment.firstSeenAt < watchedSince
  }
}
