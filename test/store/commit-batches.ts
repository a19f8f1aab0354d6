import { auditAfter } from '../../src/ledger/audits.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { ExceptionNews } from '../../src/model/exception.ts'
import type { NewNote } from '../../src/model/note.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { NotifiedDate } from '../../src/model/routing.ts'
import type { BatchChange, ReadBatch } from '../../src/store/ports/commit-port.ts'
import type { ListState, PageWrite } from '../../src/store/ports/list-port.ts'
import type { PollStore } from '../../src/store/ports/store.ts'
import type { Commit } from './commit-steps.ts'
import { writtenBy } from './commit-writes.ts'
import { sampleEvent, sampleHold, sampleProvenance } from './samples.ts'

/** What a step commits to a store: the same for every store, but for the documents that it gave. */
export async function batchOf(store: PollStore, step: Commit, now: number): Promise<ReadBatch> {
  const { account, page, provenance, resource } = step
  const ids = step.writes.map(({ id }) => id)
  const known = await store.records(account, resource, ids)
  const written = step.writes
    .filter(({ id }, index) => ids.indexOf(id) === index)
    .map((each) => writtenBy(each, known.get(each.id), { account, resource, now, isPage: page !== null }))
  const rung = written.flatMap(({ event, to }) => (event === null ? [] : [{ event, to }]))
  const list = await store.listState(account, resource)
  const shown = await pageOf(store, step, { now, pass: list.pass })
  return {
    account,
    storedAt: now,
    records: written.map(({ write }) => write),
    events: [...rung.map(({ event }) => event), ...otherEvents(step, now)],
    deliveries: rung.flatMap(({ event, to }) => to.map((subscription) => ({ eventId: event.id, subscription }))),
    dates: rung.flatMap(({ event, to }) => to.map((subscription) => toldDate(event, subscription))),
    ...(provenance && { provenance: sampleProvenance() }),
    ...((step.stands !== null || step.closes !== 'none') && { exceptions: exceptionsOf(step, now) }),
    ...(step.notes !== null && { notes: notesOf(step.notes, resource) }),
    changes: [
      ...(shown === null ? [] : [{ kind: 'page' as const, page: shown }]),
      ...changesOf(step, list, now),
      ...(await notingOf(store, step, now)),
    ],
  }
}

/** Each record once for a topic. */
function notesOf(notes: NonNullable<Commit['notes']>, resource: Commit['resource']): readonly NewNote[] {
  const all = notes.map((note) => [`${note.topic} ${note.id}`, { ...note, resource }] as const)
  return [...new Map(all).values()]
}

async function notingOf(
  store: PollStore,
  { account, noting, resource, writes }: Commit,
  now: number,
): Promise<readonly BatchChange[]> {
  const begin = { kind: 'topic', topic: 'orders', resources: [resource], number: writes.length } as const
  const links = writes.map(({ id }) => ({ resource, id, shipment: `SHP-${id}` }))
  const { notes } = await store.noted(account, 'orders', 3)
  switch (noting) {
    case 'begin':
      return [{ ...begin, settings: `by ${writes.length}` }]
    case 'end':
      return [{ ...begin, settings: null }]
    case 'take':
      return [{ kind: 'taken', topic: 'orders', notes }]
    case 'link':
      return [{ kind: 'links', found: links.slice(1), gone: links.slice(0, 1) }]
    case 'arrive':
      return [{ kind: 'arrivals', shipments: await arrivedOf(store, account), at: now }]
    case 'none':
      return []
    default:
      return noting satisfies never
  }
}

/** Some shipments as they are known, as if the first of them had arrived. */
async function arrivedOf(store: PollStore, account: string): Promise<readonly RecordState[]> {
  const known = [...(await store.records(account, 'shipment', ['A', 'B', 'C'])).values()]
  const arrival_date = { date: '2026-12-03T07:00:00Z', status: 'actual' }
  const arrived = { main_tracking_dates: { arrival_date }, booking_information: { carrier: `${account} lines` } }
  return known.map((state, nth) => (nth === 0 ? { ...state, reported: arrived } : state))
}

function exceptionsOf({ closes, resource, stands }: Commit, at: number): ExceptionNews {
  const of = closes === 'one' ? { resource, subjectId: 'A' } : { type: 'shipment.milestone_overdue' as const }
  return {
    opens: (stands ?? []).map((id) => ({
      type: 'shipment.milestone_overdue',
      subject: { resource, id },
      milestone: 'arrival',
      at,
    })),
    ...(closes !== 'none' && { closes: [{ ...of, by: 'unwatched', at }] }),
  }
}

function toldDate({ subject: { id, version }, timestamp }: EventDraft, subscription: string): NotifiedDate {
  return { subscription, subject: { resource: 'shipment', id }, date: 'arrival', instant: timestamp, version }
}

/** One of no account, and one that is committed again and again. */
function otherEvents({ account, repeats, service }: Commit, now: number): readonly EventDraft[] {
  const subject = { resource: 'subscription', id: 'erp', version: 1, previousEventId: null } as const
  const failing = {
    type: 'endpoint.failing',
    account: null,
    timestamp: now,
    object: null,
    before: null,
    subject,
  } as const
  return [
    ...(service ? [sampleEvent(`evt_service_${now}`, failing)] : []),
    ...(repeats
      ? [sampleEvent(`evt_again_${account}`, { account }), sampleEvent(`evt_again_${account}`, { account })]
      : []),
  ]
}

async function pageOf(
  store: PollStore,
  { account, page, resource }: Commit,
  { now, pass }: { readonly now: number; readonly pass: number },
): Promise<PageWrite | null> {
  if (page === null) return null
  const { ids, isFresh, rows, skip } = page
  const known = await store.page(account, resource, skip)
  const read = { resource, skip, read: { sentAt: now - 100, answeredAt: now }, pass: page.pass ? pass : null }
  const validator = { contentHash: `page ${rows}`, etag: `"${now}"` }
  if (page.kind === 'same' && known !== null) return { ...read, kind: 'same', known, validator, isFresh }
  const place = { rows, contentHash: `rows ${rows}`, rules: 'rules', certainIdField: null, current: pass }
  return { ...read, ...place, kind: 'shown', validator: page.validator ? validator : null, ids: rows === 0 ? [] : ids }
}

function changesOf(step: Commit, list: ListState, now: number): readonly BatchChange[] {
  const { expects, hold, learnt, met, missed, quarantine, resource, state, unchanged } = step
  const read = { sentAt: now - 50, answeredAt: now }
  const tag = unchanged?.etag === null ? {} : { etag: unchanged?.etag ?? null }
  const after = { ...list, completedAt: step.list?.completes === true ? now : null, largestPage: now }
  const held = { kind: 'hold', resource, hold: hold === 'set' ? sampleHold({ since: now }) : null } as const
  const changes: readonly (BatchChange | false)[] = [
    unchanged !== null && { kind: 'unchanged', resource, ids: unchanged.ids, read, ...tag },
    met !== null && { kind: 'met', resource, ids: met },
    missed !== null && { kind: 'missed', resource, ids: missed },
    state === 'pause' && { kind: 'pause', pause: pauseAt(now) },
    state === 'ceiling' && { kind: 'ceiling', ceiling: ceilingAt(now) },
    step.list !== null && { kind: 'list', resource, state: after },
    learnt !== null && { kind: 'learnt', learnt: learntOf(step, learnt, now) },
    state === 'churning' && { kind: 'churning', resource, paths: ['/a'] },
    state === 'audit' && {
      kind: 'audit',
      resource,
      audit: auditAfter(null, { kind: 'stale', fields: ['/status'], id: 'A', at: now }).audit,
    },
    state === 'lying' && { kind: 'lying_validators', resource },
    quarantine !== null && { kind: 'quarantine', ...quarantineOf(step, quarantine) },
    expects !== null && { kind: 'expectations', ...expectationsOf(expects, now) },
    hold !== 'none' && step.list !== null && { ...held, expectedVerdict: null },
  ]
  return changes.filter((change) => change !== false)
}

function expectationsOf({ due, fails, forget, ids, rules }: NonNullable<Commit['expects']>, now: number) {
  const known = (rules ?? []).map((name) => ({ name, digest: `${name} ${now}`, generation: now, since: now - 1 }))
  const records = ids.map((id) => ({
    resource: 'shipment' as const,
    id,
    generation: now,
    isGone: fails,
    states: { one: { state: 'waiting' as const, by: due, rang: false } },
    failures: fails ? { two: 'It \0 is no date.' } : {},
    dueAt: due,
  }))
  return { ...(rules !== null && { rules: known }), records, forget }
}

function pauseAt(now: number) {
  return { failures: 1, throttles: 0, notBefore: now, decidedAt: now, reason: 'It \0 failed.' }
}

function ceilingAt(now: number) {
  return { fraction: 0.5, loweredAt: now, creditedTo: now, isStrained: true }
}

function learntOf({ resource }: Commit, amounts: readonly number[], now: number) {
  const units = amounts.map((amount) => {
    const activity = { changes: amount / 3, expected: amount, at: now }
    return { resource, what: 'page' as const, name: `${amount}`, mix: { a: amount }, activity }
  })
  return { profile: null, units, gone: [{ resource, what: 'page' as const, name: '0' }] }
}

function quarantineOf({ resource }: Commit, { forget, remember }: NonNullable<Commit['quarantine']>) {
  const odd = remember.map((id) => ({ id, reason: `odd ${id}` }))
  return { resource, via: 'list' as const, remember: odd, forget }
}
