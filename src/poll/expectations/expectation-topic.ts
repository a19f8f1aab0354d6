import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { judgeRecord, type JudgedRecord, type RuleOfRecord } from '../../detect/expectation/judge-record.ts'
import { ringExpectations } from '../../detect/expectation/ring-expectations.ts'
import type { SilentClosing, SilentOpening } from '../../model/exception.ts'
import {
  isExpectedSubject,
  isSeenResource,
  type ExpectedRecord,
  type ExpectedSubject,
  type KnownRule,
} from '../../model/expectation.ts'
import { idsOf, type Note, type NotedRecord } from '../../model/note.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { CompiledRule } from '../../route/expectation/compiled-rule.ts'
import { allReads, readAlike, WHOLE, type RuleReads } from '../../route/expectation/rule-reads.ts'
import type { RecordWrite } from '../../store/ports/commit-port.ts'
import type { ExpectedKey } from '../../store/ports/expectation-port.ts'
import { WakeSignal } from '../../wake-signal.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { summaryOf } from '../ingest/record-facts.ts'
import { writeOf } from '../ingest/update-record.ts'
import type { DerivedTopic } from '../notes/note-loop.ts'
import { digestOf, resourcesOf, rulesInForce, rulesOf } from './account-rules.ts'
import { DeferredRules } from './deferred-rules.ts'
import { joinedRecords, keyOf, shipmentsNamedBy, shipmentsOf, type JoinedRecord } from './expectation-views.ts'
import type { ReadTimes } from './read-times.ts'

/** Records that are judged before others have their turn. */
const A_TURN = 10

/**
 * The expectations of an account: which records a move concerns, and what becomes of these records' expectations by what events have
 * reported. It is judged when something of a record moved (`NoteLoop`), and when an instant has come (`ExpectationTimer`).
 */
export class ExpectationTopic implements DerivedTopic {
  readonly topic = 'expectations'
  readonly settings: string
  readonly resources: readonly RecordResource[]
  readonly subjects: readonly ExpectedSubject[]
  readonly rules: readonly CompiledRule[]
  /** Given when records are judged that have to be judged again at an instant. */
  readonly due = new WakeSignal()
  readonly #context: AccountContext
  readonly #reads: ReadTimes
  readonly #ruleReads: RuleReads
  readonly #deferred: DeferredRules
  readonly #wanted: readonly Pick<KnownRule, 'name' | 'digest'>[]

  constructor(context: AccountContext, reads: ReadTimes) {
    const { account } = context
    this.#context = context
    this.#reads = reads
    this.rules = rulesOf(account)
    this.#ruleReads = allReads(this.rules.map(({ reads }) => reads))
    this.#deferred = new DeferredRules(this.rules)
    this.#wanted = this.rules.map(({ rule }) => ({ name: rule.name, digest: digestOf(rule, account.timeZone) }))
    this.settings = this.#wanted
      .map(({ digest, name }) => `${name} ${digest}`)
      .toSorted()
      .join(', ')
    this.resources = resourcesOf(this.rules)
    this.subjects = [...new Set(this.rules.map(({ rule }) => rule.about))]
  }

  /** What no rule reads moves nothing. The tracking of a shipment that closes may never be read: nothing waits for it any more. */
  moves(write: RecordWrite): boolean {
    const { before, state } = write
    if (before === null || before.removedAt !== state.removedAt) return true
    if (before.reported === state.reported) return false
    if (before.reported === null || state.reported === null || !isSeenResource(state.resource)) return true
    const ways = state.closedAt === null ? (this.#ruleReads.get(state.resource) ?? []) : WHOLE
    if (!readAlike(before.reported, state.reported, ways)) return true
    return this.#deferred.has(state.resource) && (this.#deferred.mayEnd(write) || this.leaves(write).length > 0)
  }

  /** Loads what has to be known before changes can wait until an instant has come. */
  async load(): Promise<void> {
    const { account, clock, committer } = this.#context
    await this.#deferred.load(committer.store, account.name, clock.now())
  }

  leaves({ before, state }: RecordWrite): readonly NotedRecord[] {
    const { resource } = state
    if (resource === 'shipment' || resource === 'tracking' || before === null || before.reported === null) return []
    const now = new Set(state.reported === null ? [] : shipmentsNamedBy(resource, state.reported))
    return shipmentsNamedBy(resource, before.reported)
      .filter((id) => !now.has(id))
      .map((id) => ({ resource: 'shipment', id }))
  }

  explains(): boolean {
    return false
  }

  async derive(notes: readonly Note[]): Promise<News> {
    const fresh = new Set(notes.filter(({ isFresh }) => isFresh).map(keyOf))
    const noted = new Set(notes.map(keyOf))
    return this.judge(await this.#concerned(notes), (key) => ({
      isFresh: fresh.has(keyOf(key)),
      isNoted: noted.has(keyOf(key)),
    }))
  }

  /** What becomes of the expectations of records. `noteOf`: what its own note says of a record. */
  async judge(
    keys: readonly ExpectedKey[],
    noteOf: (key: ExpectedKey) => { readonly isFresh: boolean; readonly isNoted: boolean } = ofNone,
  ): Promise<News> {
    const { account, clock, committer } = this.#context
    const now = clock.calendarNow(account.name)
    const known = await committer.store.expected(account.name, keys)
    const inForce = rulesInForce(this.#wanted, known.rules, { at: clock.now(), now })
    const before = new Map(known.records.map((record) => [keyOf(record), record]))
    // A record that was never judged has a note of its own, which says whether it is new.
    const wanted = keys.filter((key) => before.has(keyOf(key)) || noteOf(key).isNoted)
    const joined = await joinedRecords(committer.store, { account: account.name, timeZone: account.timeZone }, wanted)
    this.#deferred.noteStored(known.records)
    const outcome = new Outcome(this.#context, this.rules, now)
    for (const [index, record] of joined.entries()) {
      if (index % A_TURN === A_TURN - 1) await nextTurn()
      const old = before.get(keyOf(record.key)) ?? null
      const { isFresh } = noteOf(record.key)
      const judged = this.#judged(record, { old, isFresh, rules: inForce.rules, now })
      this.#deferred.noteJudged(judged.record)
      outcome.take(record, old, judged)
    }
    if (outcome.isDueAgain) this.due.notify()
    return outcome.news(inForce)
  }

  #judged(
    record: JoinedRecord,
    {
      isFresh,
      now,
      old: before,
      rules,
    }: {
      readonly old: ExpectedRecord | null
      readonly isFresh: boolean
      readonly rules: readonly KnownRule[]
      readonly now: number
    },
  ): JudgedRecord {
    const { key, state } = record
    const isGone = state.removedAt !== null
    const generation = Math.max(0, ...rules.map((rule) => rule.generation))
    const states = before?.states ?? {}
    const own = this.rules.flatMap((rule, index): readonly RuleOfRecord[] => {
      const known = rules[index]
      if (known === undefined || rule.rule.about !== key.resource) return []
      return [
        {
          known,
          saying: isGone ? null : rule.judge(record.view, { wasMissed: states[known.name]?.state === 'missed' }),
          isUnread: this.#reads.isUnread(rule.resources, record),
          wasReadSince: (at) => this.#reads.wasReadSince(rule.resources, at, record.tracking?.lastRead.sentAt ?? null),
        },
      ]
    })
    return judgeRecord({ ...key, before, isFresh, isGone, rules: own, generation, now })
  }

  /** The records whose expectations a move concerns. */
  async #concerned(notes: readonly NotedRecord[]): Promise<readonly ExpectedKey[]> {
    const { account, committer } = this.#context
    const concerned = new Map<string, ExpectedKey>()
    const add = (resource: string, id: string): void => {
      if (isExpectedSubject(resource) && this.subjects.includes(resource))
        concerned.set(keyOf({ resource, id }), { resource, id })
    }
    for (const { id, resource } of notes) add(resource === 'tracking' ? 'shipment' : resource, id)
    if (this.#seesFrom('shipment', ['document', 'invoice', 'purchase_order'])) {
      for (const resource of ['document', 'invoice', 'purchase_order'] as const) {
        const ids = idsOf(resource, notes)
        if (ids.length === 0) continue
        const states = await committer.store.records(account.name, resource, ids)
        for (const state of states.values()) for (const id of shipmentsOf(state, state)) add('shipment', id)
      }
    }
    const shipments = idsOf('shipment', notes)
    if (
      shipments.length > 0 &&
      (this.#seesFrom('invoice', ['shipment']) || this.#seesFrom('purchase_order', ['shipment']))
    ) {
      const related = await committer.store.related(account.name, { records: [], shipments })
      for (const { id, resource } of related) if (resource !== 'shipment') add(resource, id)
    }
    return [...concerned.values()]
  }

  /** Whether a rule about something looks at any of these resources. */
  #seesFrom(about: ExpectedSubject, resources: readonly RecordResource[]): boolean {
    return this.rules.some(
      (each) => each.rule.about === about && each.resources.some((resource) => resources.includes(resource)),
    )
  }
}

function ofNone(): { readonly isFresh: boolean; readonly isNoted: boolean } {
  return { isFresh: false, isNoted: false }
}

/** What becomes of an account's expectations once it has no rules any more. */
export function endedExpectations(at: number): News {
  return {
    changes: [{ kind: 'expectations', rules: [], records: [], forget: true }],
    exceptions: { closes: [{ type: 'expectation.missed', by: 'unwatched', at }] },
  }
}

/** What is committed of records that were judged. */
class Outcome {
  readonly #context: AccountContext
  readonly #rules: readonly CompiledRule[]
  readonly #now: number
  readonly #records: ExpectedRecord[] = []
  readonly #writes: RecordWrite[] = []
  readonly #events: NonNullable<News['events']>[number][] = []
  readonly #opens: SilentOpening[] = []
  readonly #closes: SilentClosing[] = []

  constructor(context: AccountContext, rules: readonly CompiledRule[], now: number) {
    this.#context = context
    this.#rules = rules
    this.#now = now
  }

  /** Whether a record waits for an instant that it did not wait for before. */
  get isDueAgain(): boolean {
    return this.#records.some(({ dueAt }) => dueAt !== null)
  }

  take({ key, shipment, state }: JoinedRecord, old: ExpectedRecord | null, { record, turns }: JudgedRecord): void {
    const { account, clock } = this.#context
    if (old === null || !isDeepStrictEqual(old, record)) this.#records.push(record)
    const named = turns.flatMap(({ name, turn }) => {
      const rule = this.#rules.find((each) => each.rule.name === name)?.rule
      return rule === undefined ? [] : [{ rule, turn }]
    })
    const at = clock.now()
    const of = { type: 'expectation.missed', at } as const
    for (const { rule, turn } of named) {
      if (!turn.isSilent) continue
      const expectation = rule.name
      if (turn.kind === 'missed') this.#opens.push({ ...of, subject: key, expectation, severity: rule.severity })
      else {
        const by = turn.kind === 'met' ? turn.kind : turn.reason
        this.#closes.push({ ...of, resource: key.resource, subjectId: key.id, expectation, by })
      }
    }
    if (named.every(({ turn }) => turn.isSilent)) return
    const summary = key.resource === 'invoice' && shipment?.removedAt === null ? summaryOf(shipment) : null
    const facts = { account: account.name, resource: key.resource, shipment: summary } as const
    const rung = ringExpectations({ ...facts, state, turns: named, firedAt: at, now: this.#now })
    this.#events.push(...rung.events)
    const write = { contentHash: null, read: 'none' } as const
    this.#writes.push(writeOf({ id: key.id, before: state, revision: { ...rung, write } }))
  }

  news({ ended, hasChanged, rules }: ReturnType<typeof rulesInForce>): News {
    const { account, clock } = this.#context
    const of = { type: 'expectation.missed', by: 'unwatched', at: clock.now() } as const
    const closes = [...ended.map((expectation) => ({ ...of, expectation })), ...this.#closes]
    const opens = this.#opens
    const changes: News['changes'] =
      hasChanged || this.#records.length > 0
        ? [{ kind: 'expectations', records: this.#records, ...(hasChanged && { rules }) }]
        : []
    return {
      records: this.#writes,
      events: this.#events,
      changes,
      ...(opens.length + closes.length > 0 && { exceptions: { opens, closes } }),
      ...(this.#events.length > 0 && {
        provenance: { by: 'calendar', resource: null, exchanges: [], timeZone: account.timeZone },
      }),
    }
  }
}
