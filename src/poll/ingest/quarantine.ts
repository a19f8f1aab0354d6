import { rejectionEvents } from '../../detect/account-event.ts'
import { RECORD_OF, type Watchable, type RecordResource } from '../../model/resource.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { Rejection, RejectionSource } from '../../store/ports/account-state-port.ts'
import type { AccountContext } from '../account-context.ts'
import type { ReadResult } from '../requests/read-result.ts'
import { updateRecord } from './update-record.ts'

/** Rejections that ring one by one in a pass; the rest ring together. */
const MOST_SINGLE = 20
/** The most rejections of one reason that ring by themselves; more of them ring together. */
const MOST_OF_ONE_REASON = 10
/** A record with so many reasons rings no more. All records without an id count as one. */
const MOST_REASONS = 20
const LONGEST_REASON = 500
/** Ids that the event of many records names. */
const SAMPLE_SIZE = 20

/** What stands for records without an id. */
const NOBODY = ''

interface QuarantineOf extends Pick<AccountContext, 'account' | 'clock' | 'committer' | 'log'> {
  readonly watch: Watchable
}

export interface Judged {
  /** Ids of records that were understood. */
  readonly sound: readonly string[]
  /** Whether a sound record still has what it rang for, such as a due date that cannot be read; left out: none has. */
  readonly isFlawed?: (id: string) => boolean
  /** Where one answer shows a record twice, this is what stands. */
  readonly rejected: readonly Rejection[]
  readonly provenance: Provenance
}

/** A rejection that rings at the end of the pass, and what showed it. */
interface Pending {
  readonly rejection: Rejection
  /** How many records the rejection is of: several where none has an id. */
  readonly records: number
  readonly provenance: Provenance
}

interface Grouped {
  readonly alone: readonly Pending[]
  readonly together: readonly (readonly Pending[])[]
}

interface Learnt {
  readonly groups: readonly (readonly Pending[])[]
  readonly forget: readonly string[]
  readonly provenance: Provenance
}

/**
 * Rings for records that cannot be understood, once per record and reason: what rang is remembered in the store until the
 * record is understood again, so that neither a restart nor the next pass rings it anew. What a pass rejects rings at its end,
 * since only then is it known how many records have one reason. One for each pass.
 */
export class Quarantine {
  readonly #context: QuarantineOf
  /** The source of the rejections: each has a memory of its own. */
  readonly #via: RejectionSource['via']
  #single = MOST_SINGLE
  readonly #pending = new Map<string, Pending>()
  /** How many records have each reason. */
  readonly #reasons = new Map<string, number>()
  #metNobody = false

  /** `via`: where the records are read. */
  constructor(context: QuarantineOf, via: RejectionSource['via']) {
    this.#context = context
    this.#via = via
  }

  async note({ sound, rejected: judged, provenance, isFlawed = () => false }: Judged): Promise<void> {
    const rejected = judged.map(storable)
    const known = await this.#remembered([...sound, ...rejected.map(idOf)])
    const bad = new Set(rejected.map(idOf))
    const forget = sound.filter((id) => known.has(id) && !bad.has(id) && !isFlawed(id))
    this.#metNobody ||= bad.has(NOBODY)
    for (const each of rejected) this.#add(each, known.get(idOf(each)) ?? [], provenance)
    if (forget.length > 0) await this.#commit({ groups: [], forget, provenance })
  }

  /** Rings for what was rejected. A complete pass that met no record without an id forgets that there were any. */
  async end({ complete, provenance }: { readonly complete: boolean; readonly provenance: Provenance }): Promise<void> {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    this.#reasons.clear()
    const isOver = complete && !this.#metNobody && (await this.#remembered([NOBODY])).size > 0
    const { alone, together } = this.#grouped(pending)
    for (const [shownBy, own] of Map.groupBy(alone, (each) => each.provenance)) {
      await this.#commit({ groups: own.map((each) => [each]), forget: [], provenance: shownBy })
    }
    if (together.length === 0 && !isOver) return
    await this.#commit({ groups: together, forget: isOver ? [NOBODY] : [], provenance })
  }

  /** What rings together: many records of one reason, and those for which too many rang one by one. */
  #grouped(pending: readonly Pending[]): Grouped {
    const groups = Map.groupBy(pending, ({ rejection }) => kindOfReason(rejection.reason))
    const isMany = (group: readonly Pending[] = []): boolean => recordsOf(group) > MOST_OF_ONE_REASON
    const few = pending.filter(({ rejection }) => !isMany(groups.get(kindOfReason(rejection.reason))))
    const alone = few.slice(0, this.#single)
    this.#single -= alone.length
    const together = [...[...groups.values()].filter(isMany), few.slice(alone.length)]
    return { alone, together: together.filter((group) => group.length > 0) }
  }

  /** `reasons`: for which the record has rung. */
  #add(rejection: Rejection, reasons: readonly string[], provenance: Provenance): void {
    const [id, key] = [idOf(rejection), keyOf(rejection)]
    const pending = this.#pending.get(key)
    if (pending !== undefined) {
      // Each record without an id is another one.
      if (id === NOBODY) this.#pending.set(key, { ...pending, records: pending.records + 1 })
      return
    }
    const count = this.#reasons.get(id) ?? 0
    if (reasons.includes(rejection.reason) || reasons.length + count >= MOST_REASONS) return
    this.#reasons.set(id, count + 1)
    this.#pending.set(key, { rejection, records: 1, provenance })
    this.#log(rejection)
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
    const remember = groups.flat().map(({ rejection }) => rejection)
    const changes = [{ kind: 'quarantine', resource, via: this.#via, remember, forget }] as const
    const rejected = groups.map((group) => ({
      first: group[0]?.rejection ?? { id: null, reason: '' },
      count: recordsOf(group),
      sample: group.slice(0, SAMPLE_SIZE).flatMap(({ rejection }) => rejection.id ?? []),
    }))
    if (groups.length === 0) await committer.commit(name, async () => ({ changes }))
    else
      await updateRecord(committer, { account: name, resource: 'account', id: name }, async (state) => ({
        ...rejectionEvents({ account: name, state, watch, rejected, at }),
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

function recordsOf(group: readonly Pending[]): number {
  return group.reduce((sum, { records }) => sum + records, 0)
}

/** What reasons share that differ only in what was found, where it was, and who answered what request. */
function kindOfReason(reason: string): string {
  return reason.replaceAll(/"[^"]*"|(?<=\bGET )\S+|\d+/g, '…')
}

/** A rejection as the store gives it back: text that is not well-formed Unicode would not be recognised there. */
function storable({ id, reason }: Rejection): Rejection {
  return { id: id?.isWellFormed() === true ? id : null, reason: reason.slice(0, LONGEST_REASON).toWellFormed() }
}

function idOf({ id }: Rejection): string {
  return id ?? NOBODY
}

function keyOf({ id, reason }: Rejection): string {
  return JSON.stringify([id, reason])
}
