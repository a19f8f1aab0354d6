import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { ExceptionNews, SilentOpening } from '../../src/model/exception.ts'
import type { ExceptionQuery } from '../../src/store/ports/exception-port.ts'
import type { Severity } from '../../src/model/severity.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { FINISHED_FOR_MS } from '../../src/ledger/exceptions.ts'
import { batch, sampleEvent, success, T } from './samples.ts'

const DAY = 86_400_000

export function describeExceptions(open: OpenStore): void {
  describe('exceptions', () => {
    test('open with their event, once, and close with what closes them', async () => {
      await using store = await open()
      for (const _ of [1, 2]) await store.commit(batch({ events: [atRisk('evt_1')] }))
      const [risk] = await list(store)
      const key = { account: 'acme', resource: 'shipment', subjectId: 'A', type: 'shipment.delivery_at_risk' }
      const opened = { milestone: '', expectation: '', severity: 'critical', openedAt: T, eventId: 'evt_1' }
      const still = { acknowledged: null, closedAt: null, closedBy: null }
      expect(risk).toEqual({ id: expect.stringMatching(/^exc_[0-9a-f]{40}$/), ...key, ...opened, ...still })
      await store.commit(batch({ events: [event('evt_2', 'shipment.delivery_back_on_track', T + 5)] }))
      expect(await list(store)).toEqual([{ ...risk, closedAt: T + 5, closedBy: 'evt_2' }])
      await store.commit(batch({ events: [atRisk('evt_3')] }))
      expect((await list(store, { states: ['open'] })).map(({ eventId }) => eventId)).toEqual(['evt_3'])
      expect(await list(store)).toHaveLength(2)
    })

    test('open and close in silence, of one subject or of all', async () => {
      await using store = await open()
      await commit(store, { opens: ['A', 'B', 'C'].map((id) => stands(id)) })
      await commit(store, { opens: [stands('A', T + 1)] })
      expect(await ids(store, { states: ['open'] })).toEqual(['C', 'B', 'A'])
      await commit(store, { closes: [{ resource: 'shipment', subjectId: 'B', by: 'removed', at: T + 2 }] })
      expect(await ids(store, { states: ['open'] })).toEqual(['C', 'A'])
      await commit(store, { closes: [{ type: 'shipment.problem_reported', by: 'unwatched', at: T + 3 }] })
      expect(await ids(store, { states: ['open', 'acknowledged'] })).toEqual([])
      expect((await list(store)).map(({ closedBy }) => closedBy)).toEqual(['unwatched', 'removed', 'unwatched'])
    })

    test('are closed and opened anew by one commit', async () => {
      await using store = await open()
      await commit(store, { opens: [stands('A')] })
      const close = { resource: 'shipment', subjectId: 'A', by: 'unwatched', at: T + 1 } as const
      await commit(store, { closes: [close], opens: [stands('A', T + 1)] })
      expect((await list(store)).map(({ closedBy, openedAt }) => [openedAt, closedBy])).toEqual([
        [T + 1, null],
        [T, 'unwatched'],
      ])
      const cleared = { ...event('evt_2', 'shipment.delivery_back_on_track', T + 3) }
      await store.commit(batch({ events: [atRisk('evt_1')] }))
      await store.commit(batch({ events: [cleared, { ...atRisk('evt_3'), timestamp: T + 3 }] }))
      expect((await list(store, { type: 'shipment.delivery_at_risk' })).map(({ eventId }) => eventId)).toEqual([
        'evt_3',
        'evt_1',
      ])
    })

    test('of other accounts stay as they are', async () => {
      await using store = await open()
      await store.commit({ ...batch({ exceptions: { opens: [stands('A')] } }), account: 'beta' })
      await commit(store, { closes: [{ type: 'shipment.problem_reported', by: 'unwatched', at: T }] })
      expect(await store.exceptionCounts(T)).toEqual([
        { account: 'beta', type: 'shipment.problem_reported', open: 1, acknowledged: 0 },
      ])
    })

    test('are acknowledged until an instant, and taken back, while they are open', async () => {
      await using store = await open()
      await commit(store, { opens: [stands('A')] })
      const [{ id } = { id: '' }] = await list(store)
      const acknowledged = { by: 'cli', at: T, note: 'called', until: T + 10 }
      expect(await store.acknowledge(id, acknowledged)).toBe('done')
      expect(await list(store, { states: ['acknowledged'] })).toMatchObject([{ id, acknowledged }])
      expect(await list(store, { states: ['open'], now: T + 10 })).toHaveLength(1)
      expect(await store.exceptionCounts(T)).toMatchObject([{ open: 0, acknowledged: 1 }])
      expect(await store.exceptionCounts(T + 10)).toMatchObject([{ open: 1, acknowledged: 0 }])
      expect(await store.acknowledge(id, null)).toBe('done')
      expect(await list(store, { states: ['open'] })).toMatchObject([{ acknowledged: null }])
      await commit(store, { closes: [{ by: 'unwatched', at: T }] })
      expect([await store.acknowledge(id, acknowledged), await store.acknowledge('exc_', null)]).toEqual([
        'closed',
        'unknown',
      ])
    })

    test('of several subjects are asked for together, page by page', async () => {
      await using store = await open()
      await commit(store, { opens: ['A', 'B', 'C'].map((id, nth) => stands(id, T + nth)) })
      const asked = { states: ['open'], subjectIds: ['C', 'A', 'none'] } as const
      expect(await ids(store, asked)).toEqual(['C', 'A'])
      const first = await store.exceptionPage({ now: T, limit: 1, ...asked })
      const rest = await store.exceptionPage({ now: T, limit: 9, ...asked, cursor: first.next ?? '' })
      expect([first, rest].map(({ items }) => items.map(({ subjectId }) => subjectId))).toEqual([['C'], ['A']])
    })

    test('are kept until they closed long ago', async () => {
      await using store = await open()
      await commit(store, { opens: ['A', 'B', 'C'].map((id) => stands(id)) })
      for (const [index, subjectId] of ['A', 'B'].entries())
        await commit(store, { closes: [{ resource: 'shipment', subjectId, by: 'unwatched', at: T + index }] })
      await store.dropEnded({ before: T, after: null, limit: 10 })
      expect(await ids(store, {})).toEqual(['C', 'B'])
    })

    test('keep the event that opened them, with its rows, until they close: it says who is told again', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
      const reminders = [{ eventId: 'evt_1', subscription: 'erp', dueAt: T + 10 }]
      await store.commit(batch({ events: [atRisk('evt_1')], deliveries, reminders }))
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 1]]) })
      await store.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      await store.commit(batch({ events: [sampleEvent('evt_last', { timestamp: T + 500 * DAY })] }))
      const ages = async (before: number) => {
        await store.expirePayloads({ before, now: before, after: null, limit: 100 })
        return (await store.dropEnded({ before, after: null, limit: 100 })).dropped
      }
      expect(await ages(T + 400 * DAY)).toBe(0)
      const [{ eventId } = { eventId: null }] = await list(store)
      expect(await store.event(eventId ?? '')).toMatchObject({ id: 'evt_1' })
      expect((await store.exceptionsDue('acme', {})).reminders).toMatchObject([{ wasSent: true }])
      await store.commit(batch({ events: [event('evt_5', 'shipment.delivery_back_on_track', T + 401 * DAY)] }))
      expect(await ages(T + 402 * DAY)).toBe(1)
    })

    test('end by themselves at an instant, until the shipment goes on', async () => {
      await using store = await open()
      await store.commit(batch({ events: [atRisk('evt_1')] }))
      await store.commit(batch({ events: [moves('evt_2', 'finished')] }))
      const [ending] = (await store.exceptionsDue('acme', { most: 1 })).ending
      expect(ending).toMatchObject({ subjectId: 'A', type: 'shipment.delivery_at_risk', endsAt: T + FINISHED_FOR_MS })
      expect((await store.exceptionsDue('acme', { until: T + FINISHED_FOR_MS - 1 })).ending).toEqual([])
      await store.commit(batch({ events: [moves('evt_3', 'in_progress')] }))
      expect((await store.exceptionsDue('acme', {})).ending).toEqual([])
    })

    test('are told again step by step to who was sent them, until they close', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
      const reminders = [{ eventId: 'evt_1', subscription: 'erp', dueAt: T + 10 }]
      await store.commit(batch({ events: [atRisk('evt_1')], deliveries, reminders }))
      const due = async (until: number) => (await store.exceptionsDue('acme', { until })).reminders
      expect(await due(T + 9)).toEqual([])
      const [first] = await due(T + 10)
      expect(first).toMatchObject({ subscription: 'erp', number: 0, dueAt: T + 10, wasSent: false, acknowledged: null })
      expect([first?.id, first?.told, first?.openedAt]).toEqual([
        expect.stringMatching(/^exc_/),
        '{"slack_days":-1}',
        T,
      ])
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 1]]) })
      await store.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      await store.acknowledge(first?.id ?? '', { by: 'cli', at: T, note: null, until: T + 5 })
      expect(await due(T + 10)).toMatchObject([{ wasSent: true, acknowledged: { until: T + 5 } }])
      const step = { exception: first?.exception ?? 0, subscription: 'erp', number: 1, dueAt: T + 20 }
      const reminder = { ...atRisk('evt_again'), cause: 'reminder' as const }
      const told = { events: [reminder], deliveries: [{ eventId: 'evt_again', subscription: 'erp' }] }
      await store.commit({ ...batch(told), changes: [{ kind: 'reminded', steps: [step] }] })
      expect([await due(T + 19), await due(T + 20)]).toMatchObject([[], [{ number: 1 }]])
      expect(await store.event('evt_again')).toMatchObject({ account: 'acme', cause: 'reminder' })
      expect((await store.eventPage({ limit: 9 })).items.map(({ id }) => id)).toEqual(['evt_1'])
      expect((await store.eventPage({ limit: 9, account: 'acme' })).items.map(({ id }) => id)).toEqual(['evt_1'])
      const ofSubject = async (addressed: boolean) =>
        await store.eventPage({ limit: 9, subjectId: reminder.subject.id, addressed })
      expect((await ofSubject(false)).items.map(({ id }) => id)).not.toContain('evt_again')
      expect((await ofSubject(true)).items.map(({ id }) => id)).toContain('evt_again')
      expect((await store.eventHours(0)).map(({ amount }) => amount)).toEqual([1])
      await store.commit(batch({ events: [event('evt_5', 'shipment.delivery_back_on_track', T + 30)] }))
      expect(await due(T + 100)).toEqual([])
      expect((await store.accounts(T))[0]?.lastSequence).toBe(2)
    })

    test('are told again from now on, where that is asked for only later', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
      await store.commit(batch({ events: [atRisk('evt_1')], deliveries }))
      await commit(store, { opens: [stands('B')] })
      const asked = {
        everyMs: 10,
        at: T + 25,
        types: ['shipment.delivery_at_risk', 'shipment.problem_reported'],
      } as const
      for (const subscription of ['erp', 'erp', 'ops'])
        await store.commit({ ...batch(), changes: [{ kind: 'remind', subscription, ...asked }] })
      const { reminders } = await store.exceptionsDue('acme', {})
      expect(reminders).toMatchObject([{ subscription: 'erp', subjectId: 'A', number: 0, dueAt: T + 30 }])
      const [{ exception } = { exception: 0 }] = reminders
      const steps = [{ exception, subscription: 'erp', number: 0, dueAt: null }]
      await store.commit({ ...batch(), changes: [{ kind: 'reminded', steps }] })
      expect((await store.exceptionsDue('acme', {})).reminders).toEqual([])
    })

    test('are listed by account, type, subject and the beginning of an id, page by page', async () => {
      await using store = await open()
      await commit(store, { opens: ['A', 'B', 'C'].map((id, index) => stands(id, T + index)) })
      const first = await store.exceptionPage({ now: T, limit: 2 })
      expect(first.items.map(({ subjectId }) => subjectId)).toEqual(['C', 'B'])
      expect(await ids(store, { cursor: first.next ?? '' })).toEqual(['A'])
      expect(await ids(store, { subjectId: 'B', account: 'acme', type: 'shipment.problem_reported' })).toEqual(['B'])
      expect(await ids(store, { account: 'beta' })).toEqual([])
      expect(await ids(store, { type: 'invoice.overdue' })).toEqual([])
      const [{ id } = { id: '' }] = first.items
      expect(await ids(store, { named: id.slice(0, 14) })).toEqual(['C'])
      expect(await ids(store, { named: 'exc_none' })).toEqual([])
    })

    test('are listed by their weight and age, of all accounts or some, but for those that somebody sees to', async () => {
      await using store = await open()
      const opens = [
        weighs('D', 'warning', T),
        weighs('B', 'critical', T + 1),
        weighs('A', 'critical', T),
        weighs('E', 'neutral', T - 9),
      ]
      await commit(store, { opens })
      await store.commit({ ...batch({ exceptions: { opens: [weighs('C', 'critical', T + 1)] } }), account: 'beta' })
      const query = { heaviestFirst: true, states: ['open'], limit: 2 } as const
      const pages: (readonly string[])[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await store.exceptionPage({ now: T, ...query, ...(cursor !== undefined && { cursor }) })
        pages.push(page.items.map(({ subjectId }) => subjectId))
        cursor = page.next
      }
      expect(pages).toEqual([['A', 'B'], ['C', 'D'], ['E']])
      expect(await ids(store, { ...query, limit: 9, account: 'beta' })).toEqual(['C'])
      const [{ id } = { id: '' }] = await list(store, query)
      await store.acknowledge(id, { by: 'cli', at: T, note: null, until: T + 10 })
      expect(await ids(store, query)).toEqual(['B', 'C'])
      expect(await ids(store, { states: ['acknowledged'] })).toEqual(['A'])
      expect(await ids(store, { states: ['acknowledged'], now: T + 10 })).toEqual([])
    })
  })
}

async function commit(store: Store, exceptions: ExceptionNews): Promise<void> {
  await store.commit(batch({ exceptions }))
}

async function list(store: Store, query: Partial<ExceptionQuery> = {}) {
  return (await store.exceptionPage({ now: T, limit: 10, ...query })).items
}

async function ids(store: Store, query: Partial<ExceptionQuery>) {
  return (await list(store, query)).map(({ subjectId }) => subjectId)
}

function stands(id: string, at = T): SilentOpening {
  return { type: 'shipment.problem_reported', subject: { resource: 'shipment', id }, milestone: 'arrival', at }
}

function weighs(id: string, severity: Severity, at: number): SilentOpening {
  return { ...stands(id, at), severity }
}

function atRisk(id: string): EventDraft {
  return event(id, 'shipment.delivery_at_risk', T)
}

function moves(id: string, to: string): EventDraft {
  return { ...event(id, 'shipment.status_changed', T), extras: { from: 'in_progress', to } }
}

function event(id: string, type: EventDraft['type'], timestamp: number): EventDraft {
  const subject = { resource: 'shipment', id: 'A', version: 1, previousEventId: null } as const
  return sampleEvent(id, { type, timestamp, subject, extras: { slack_days: -1 } })
}
