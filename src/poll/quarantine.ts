import type { Clock } from '../clock.ts'
import { rejectionEvents } from '../detect/rejection-events.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import { RECORD_OF, type Watchable } from '../model/resource.ts'
import type { Provenance } from '../model/provenance.ts'
import type { Rejection, RejectionSource } from '../store/quarantine-port.ts'
import type { Committer } from './committer.ts'

/** Rejections that ring one by one in a pass; the rest ring together at its end. */
const MOST_SINGLE = 20
/** A record that is rejected for ever new reasons rings no more; so do records without an id, which count as one. */
const MOST_REASONS = 20
const LONGEST_REASON = 500

/** What stands for records without an id. */
const NOBODY = ''

export interface QuarantineOptions {
  readonly account: AccountSettings
  readonly watch: Watchable
  /** Where the records are read: each source has a memory of its own. */
  readonly via: RejectionSource['via']
  readonly committer: Committer
  readonly clock: Clock
  readonly log: Logger
}

export interface Judged {
  /** Ids of records that were understood. */
  readonly sound: readonly string[]
  /** Where one answer shows a record twice, this is what stands. */
  readonly rejected: readonly Rejection[]
  readonly provenance: Provenance
}

interface Learnt {
  readonly groups: readonly (readonly Rejection[])[]
  readonly forget: readonly string[]
  readonly provenance: Provenance
}

/**
 * Rings for records that cannot be understood, once per record and reason: what rang is remembered in the store until the
 * record is understood again, so that neither a restart nor the next pass rings it anew. One for each pass.
 */
export class Quarantine {
  readonly #options: QuarantineOptions
  #single = MOST_SINGLE
  readonly #rest = new Map<string, Rejection>()
  #metNobody = false

  constructor(options: QuarantineOptions) {
    this.#options = options
  }

  async note({ sound, rejected: judged, provenance }: Judged): Promise<void> {
    const rejected = judged.map(storable)
    const known = await this.#remembered([...sound, ...rejected.map(idOf)])
    const bad = new Set(rejected.map(idOf))
    const forget = sound.filter((id) => known.has(id) && !bad.has(id))
    const fresh = this.#fresh(rejected, known)
    this.#metNobody ||= bad.has(NOBODY)
    const single = fresh.slice(0, this.#single)
    this.#single -= single.length
    for (const each of fresh.slice(single.length)) this.#rest.set(keyOf(each), each)
    for (const each of fresh) this.#log(each)
    if (single.length > 0 || forget.length > 0) {
      await this.#commit({ groups: single.map((each) => [each]), forget, provenance })
    }
  }

  /** Rings for what was left over. A complete pass that met no record without an id forgets that there were any. */
  async end({ complete, provenance }: { readonly complete: boolean; readonly provenance: Provenance }): Promise<void> {
    const rest = [...this.#rest.values()]
    this.#rest.clear()
    const isOver = complete && !this.#metNobody && (await this.#remembered([NOBODY])).size > 0
    if (rest.length === 0 && !isOver) return
    await this.#commit({ groups: rest.length === 0 ? [] : [rest], forget: isOver ? [NOBODY] : [], provenance })
  }

  #fresh(rejected: readonly Rejection[], known: ReadonlyMap<string, readonly string[]>): readonly Rejection[] {
    const fresh = new Map<string, Rejection>()
    for (const each of rejected) {
      const reasons = known.get(idOf(each)) ?? []
      if (reasons.length >= MOST_REASONS || reasons.includes(each.reason) || this.#rest.has(keyOf(each))) continue
      fresh.set(keyOf(each), each)
    }
    return [...fresh.values()]
  }

  async #remembered(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const { account, committer, via, watch } = this.#options
    return committer.store.rejections(account.name, { resource: RECORD_OF[watch], via }, ids)
  }

  /** One event for each group; what rings and the memory of it are one transaction. */
  async #commit({ groups, forget, provenance }: Learnt): Promise<void> {
    const { account, clock, committer, via, watch } = this.#options
    const { name } = account
    const at = clock.now()
    const quarantine = { resource: RECORD_OF[watch], via, remember: groups.flat(), forget }
    await committer.commit(async () => {
      if (groups.length === 0) return { account: name, records: [], events: [], quarantine }
      const before = (await committer.store.records(name, 'account', [name])).get(name) ?? null
      const { state, events } = rejectionEvents({ account: name, state: before, watch, groups, at })
      const records = [{ state, contentHash: null, expectedVersion: before?.version ?? null }]
      return { account: name, records, events, quarantine, provenance }
    })
  }

  #log({ id, reason }: Rejection): void {
    const { account, log, watch } = this.#options
    log.warn({ account: account.name, resource: watch, id, reason }, 'poll.record_rejected')
  }
}

/** As the store gives it back: text that is not well-formed Unicode would not be recognised there. */
function storable({ id, reason }: Rejection): Rejection {
  return { id: id?.isWellFormed() === true ? id : null, reason: reason.slice(0, LONGEST_REASON).toWellFormed() }
}

function idOf({ id }: Rejection): string {
  return id ?? NOBODY
}

function keyOf({ id, reason }: Rejection): string {
  return JSON.stringify([id, reason])
}
