import { rejectionEvents } from '../../detect/account-event.ts'
import { RECORD_OF, type Watchable, type RecordResource } from '../../model/resource.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { Rejection, RejectionSource } from '../../store/account-state-port.ts'
import type { AccountContext } from '../account-context.ts'
import type { ReadResult } from '../requests/account-client.ts'
import { updateRecord } from './update-record.ts'

/** Rejections that ring one by one in a pass; the rest ring together at its end. */
const MOST_SINGLE = 20
/** A record with so many reasons rings no more. All records without an id count as one. */
const MOST_REASONS = 20
const LONGEST_REASON = 500

/** What stands for records without an id. */
const NOBODY = ''

interface QuarantineOf extends Pick<AccountContext, 'account' | 'clock' | 'committer' | 'log'> {
  readonly watch: Watchable
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
  readonly #context: QuarantineOf
  /** Each source has a memory of its own. */
  readonly #via: RejectionSource['via']
  #single = MOST_SINGLE
  readonly #rest = new Map<string, Rejection>()
  #metNobody = false

  /** `via`: where the records are read. */
  constructor(context: QuarantineOf, via: RejectionSource['via']) {
    this.#context = context
    this.#via = via
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
    const { account, committer, watch } = this.#context
    return committer.store.rejections(account.name, { resource: RECORD_OF[watch], via: this.#via }, ids)
  }

  /** One event for each group; what rings and the memory of it are one transaction. */
  async #commit({ groups, forget, provenance }: Learnt): Promise<void> {
    const { account, clock, committer, watch } = this.#context
    const { name } = account
    const at = clock.now()
    const resource = RECORD_OF[watch]
    const changes = [{ kind: 'quarantine', resource, via: this.#via, remember: groups.flat(), forget }] as const
    if (groups.length === 0) await committer.commit(name, async () => ({ changes }))
    else
      await updateRecord(committer, { account: name, resource: 'account', id: name }, async (state) => ({
        ...rejectionEvents({ account: name, state, watch, groups, at }),
        changes,
        provenance,
      }))
  }

  #log({ id, reason }: Rejection): void {
    const { account, log, watch } = this.#context
    log.warn({ account: account.name, resource: watch, id, reason }, 'poll.record_rejected')
  }
}

/** The quarantine of what is read by id: no list has passes there, so a reading interval counts as one. */
export class ItemQuarantine {
  readonly #context: QuarantineOf
  #quarantine: Quarantine
  #startedAt: number

  constructor(context: QuarantineOf) {
    this.#context = context
    this.#quarantine = new Quarantine(context, 'item')
    this.#startedAt = context.clock.now()
  }

  async note(judged: Judged): Promise<void> {
    await this.#quarantine.note(judged)
  }

  /** Rings for what was left over by the items that were read together. */
  async endBatch(): Promise<void> {
    const { account, clock, watch } = this.#context
    const provenance = { by: 'items', resource: RECORD_OF[watch], exchanges: [] } as const
    await this.#quarantine.end({ complete: false, provenance })
    const now = clock.now()
    if (now - this.#startedAt < (account.watch[watch]?.everyMs ?? 0)) return
    this.#quarantine = new Quarantine(this.#context, 'item')
    this.#startedAt = now
  }
}

/** Reports to the quarantine what a fetch by id showed: a record, one that cannot be understood, or nothing. */
export async function noteAnswer(
  quarantine: Pick<Quarantine, 'note'>,
  {
    answer,
    id,
    resource,
  }: { readonly resource: RecordResource; readonly id: string; readonly answer: ReadResult<unknown> },
): Promise<void> {
  const exchanges = answer.exchange === null ? [] : [answer.exchange]
  const provenance = { by: 'item', resource, exchanges } as const
  if (answer.kind === 'read') {
    if (answer.value !== null) await quarantine.note({ sound: [id], rejected: [], provenance })
    return
  }
  if (answer.why === 'rejected')
    await quarantine.note({ sound: [], rejected: [{ id, reason: answer.reason }], provenance })
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
