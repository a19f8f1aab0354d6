import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { invoice, knownInvoice, Life, at } from './life.ts'

const DAY = 86_400_000
const BEFORE = '2026-12-02T23:59:59Z'
const SOON = '2026-12-03T00:00Z'
const TOMORROW = '2026-12-09T00:00Z'
const DUE = '2026-12-10T00:00Z'
const OVERDUE = '2026-12-11T00:00Z'

/** An invoice that rang overdue. */
function overdueLife(): Life {
  const life = knownInvoice()
  life.look(OVERDUE)
  return life
}

describe('an open invoice', () => {
  it('rings each of its edges when its day begins, and each once', () => {
    const life = knownInvoice()
    const days = [
      BEFORE,
      SOON,
      SOON,
      TOMORROW,
      '2026-12-09T23:59:59Z',
      DUE,
      '2026-12-10T23:59:59Z',
      OVERDUE,
      '2027-06-01T00:00Z',
    ]
    expect(days.map((day) => life.look(day))).toEqual([
      [],
      ['invoice.due_soon'],
      [],
      ['invoice.due_soon'],
      [],
      ['invoice.due'],
      [],
      ['invoice.overdue'],
      [],
    ])
    expect(life.state?.nextEdgeAt).toBeNull()
  })

  it('knows when its next edge is', () => {
    const life = knownInvoice()
    const next = [SOON, TOMORROW, DUE, OVERDUE].map((day) => {
      const edgeAt = life.state?.nextEdgeAt
      life.look(day)
      return edgeAt
    })
    expect(next).toEqual([SOON, TOMORROW, DUE, OVERDUE].map(at))
  })

  it('says how far away the due date is, and the instant of the edge', () => {
    const life = knownInvoice()
    const [soon] = life.lookEvents(SOON)
    expect(soon).toMatchObject({ cause: 'calendar', observed: null, changes: null, before: null, timestamp: 77 })
    expect(soon?.object).toEqual(invoice())
    expect(soon?.extras).toEqual({ lead: '7d', days_left: 7, due_date: '2026-12-10', at: '2026-12-03T00:00:00.000Z' })
    expect(life.lookEvents(TOMORROW)[0]?.extras).toMatchObject({ lead: '1d', days_left: 1 })
    expect(life.lookEvents(DUE)[0]?.extras).toEqual({
      reason: 'date',
      due_date: '2026-12-10',
      at: '2026-12-10T00:00:00.000Z',
    })
    expect(life.lookEvents(OVERDUE)[0]?.extras).toEqual({
      days_overdue: 1,
      due_date: '2026-12-10',
      at: '2026-12-11T00:00:00.000Z',
    })
  })

  it('chains its events like any others', () => {
    const life = knownInvoice()
    const events = [SOON, TOMORROW, DUE, OVERDUE].flatMap((day) => life.lookEvents(day))
    expect(events.map(({ subject }) => subject.version)).toEqual([1, 2, 3, 4])
    expect(events[3]?.subject.previousEventId).toBe(events[2]?.id)
    expect(new Set(events.map(({ id }) => id)).size).toBe(4)
  })

  it('gives an event the same id at whatever time it rings', () => {
    const [early] = knownInvoice().lookEvents(SOON)
    const [late] = knownInvoice().lookEvents('2026-12-05T17:00Z')
    expect(late?.id).toBe(early?.id)
  })

  it.each(['available', 'due', 'new', 'partially_paid'])('rings while %s', (status) => {
    expect(knownInvoice({ status }).look(SOON)).toEqual(['invoice.due_soon'])
  })

  it.each(['paid', 'write_off', 'in_modification', 'litigious', 'disputed', '', null])(
    'is silent while %j',
    (status) => {
      const life = knownInvoice({ status })
      expect(life.state?.nextEdgeAt).toBeNull()
      expect([SOON, DUE, OVERDUE].flatMap((day) => life.look(day))).toEqual([])
    },
  )

  it.each<[string, JsonObject]>([
    ['a credit note', { type: 'credit_note' }],
    ['another type', { type: 'proforma' }],
    ['no type', { type: null }],
    ['no due date', { due_date: null }],
    ['a due date that does not exist', { due_date: '2026-02-30' }],
    ['a due date that is none', { due_date: 'soon' }],
    ['an object for a due date', { due_date: { day: 1 } }],
  ])('%s has no edges', (_, fields) => {
    expect(knownInvoice(fields).state?.nextEdgeAt).toBeNull()
  })
})

describe('zones', () => {
  it.each([
    ['UTC', '2026-12-10', '2026-12-03T00:00Z', '2026-12-10T00:00Z', '2026-12-11T00:00Z'],
    ['Pacific/Pago_Pago', '2026-12-10', '2026-12-03T11:00Z', '2026-12-10T11:00Z', '2026-12-11T11:00Z'],
    ['Pacific/Kiritimati', '2026-12-10', '2026-12-02T10:00Z', '2026-12-09T10:00Z', '2026-12-10T10:00Z'],
    ['Europe/Paris', '2026-03-30', '2026-03-22T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z'],
    ['Europe/Paris', '2026-03-29', '2026-03-21T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Paris', '2026-10-25', '2026-10-17T22:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['America/New_York', '2026-11-02', '2026-10-26T04:00Z', '2026-11-02T05:00Z', '2026-11-03T05:00Z'],
    ['America/Santiago', '2026-09-06', '2026-08-30T04:00Z', '2026-09-06T04:00Z', '2026-09-07T03:00Z'],
    ['Asia/Beirut', '2026-03-28', '2026-03-20T22:00Z', '2026-03-27T22:00Z', '2026-03-28T22:00Z'],
    ['America/Havana', '2026-11-01', '2026-10-25T04:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-09-26T13:30Z', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
  ])('in %s, due on %s: soon at %s, due at %s, overdue at %s', (timeZone, due_date, ...edges) => {
    const [soon, due, overdue] = edges
    const life = new Life('invoice', { timeZone, dueSoonMs: [7 * DAY] })
    life.read(invoice({ due_date }), at(soon) - 30 * DAY, 'silent')
    for (const [edge, type] of [
      [soon, 'invoice.due_soon'],
      [due, 'invoice.due'],
      [overdue, 'invoice.overdue'],
    ] as const) {
      expect(life.look(at(edge) - 1)).toEqual([])
      expect(life.look(edge)).toEqual([type])
    }
  })

  it('counts days in the zone', () => {
    const life = knownInvoice({}, { timeZone: 'Pacific/Kiritimati' })
    expect(life.lookEvents('2026-12-07T10:00Z')[0]?.extras).toMatchObject({ days_left: 2 })
    const late = life.lookEvents('2026-12-12T09:59Z')
    expect(late.map(({ extras }) => extras)).toMatchObject([{ reason: 'date' }, { days_overdue: 2 }])
  })

  it('another zone moves the edges, and what rang does not ring again', () => {
    const life = knownInvoice({}, { timeZone: 'Pacific/Kiritimati' })
    expect(life.look('2026-12-02T10:00Z')).toEqual(['invoice.due_soon'])
    life.configure({ timeZone: 'Pacific/Pago_Pago' })
    expect(life.look('2026-12-02T10:01Z')).toEqual([])
    expect(life.look('2026-12-03T11:00Z')).toEqual([])
    expect(life.look('2026-12-09T10:59Z')).toEqual([])
    expect(life.look('2026-12-09T11:00Z')).toEqual(['invoice.due_soon'])
    life.configure({ timeZone: 'UTC' })
    expect(life.look('2026-12-10T00:00Z')).toEqual(['invoice.due'])
  })
})

describe('leads', () => {
  it.each([
    ['36h', 36 * 3_600_000, '2026-12-08T12:00Z', '36h'],
    ['90 minutes', 90 * 60_000, '2026-12-09T22:30Z', '90m'],
    ['1 day', DAY, TOMORROW, '1d'],
    ['30 days', 30 * DAY, '2026-11-10T00:00Z', '30d'],
  ])('of %s ring that long before the due day begins', (...[, leadMs, edge, lead]) => {
    const life = knownInvoice({}, { dueSoonMs: [leadMs] })
    expect(life.look(at(edge) - 1)).toEqual([])
    expect(life.lookEvents(edge)[0]?.extras).toMatchObject({ lead })
  })

  it('of whole days are calendar days, other leads are time, where the clocks change', () => {
    // March 29, 2026 has 23 hours in Paris.
    const life = new Life('invoice', { timeZone: 'Europe/Paris', dueSoonMs: [DAY, 25 * 3_600_000] })
    life.read(invoice({ due_date: '2026-03-30' }), '2026-03-01T00:00Z', 'silent')
    expect(life.lookEvents('2026-03-28T21:00Z')[0]?.extras).toMatchObject({ lead: '25h' })
    expect(life.look('2026-03-28T22:59:59Z')).toEqual([])
    expect(life.lookEvents('2026-03-28T23:00Z')[0]?.extras).toMatchObject({ lead: '1d', days_left: 1 })
  })

  it('that were missed together collapse into the nearest', () => {
    const life = knownInvoice()
    const [event, ...rest] = life.lookEvents('2026-12-09T06:30Z')
    expect(rest).toEqual([])
    expect(event?.extras).toMatchObject({ lead: '1d', days_left: 1, late_by: 390 })
    expect(life.look('2026-12-09T12:00Z')).toEqual([])
  })

  it('never ring once the due day has begun', () => {
    expect(knownInvoice().look(DUE)).toEqual(['invoice.due'])
    expect(knownInvoice().look('2026-12-20T00:00Z')).toEqual(['invoice.due', 'invoice.overdue'])
  })

  it('none: nothing is due soon', () => {
    const life = knownInvoice({}, { dueSoonMs: [] })
    expect(life.state?.nextEdgeAt).toBe(at(DUE))
  })

  it('configured after they had passed stay silent, those to come ring', () => {
    const life = knownInvoice({}, { dueSoonMs: [DAY] })
    life.configure({ dueSoonMs: [7 * DAY, 3 * DAY, DAY] })
    expect(life.look('2026-12-04T00:00Z')).toEqual([])
    expect(life.look('2026-12-07T00:00Z')).toEqual(['invoice.due_soon'])
    expect(life.look(TOMORROW)).toEqual(['invoice.due_soon'])
  })

  it('configured while the daemon was down do not hide what was missed of the others', () => {
    const life = knownInvoice({}, { dueSoonMs: [7 * DAY] })
    life.configure({ dueSoonMs: [14 * DAY, 7 * DAY] })
    expect(life.lookEvents('2026-12-04T00:00Z').map(({ extras }) => extras.lead)).toEqual(['7d'])
  })

  it('removed from the configuration no longer ring', () => {
    const life = knownInvoice()
    life.configure({ dueSoonMs: [DAY] })
    expect(life.look(SOON)).toEqual([])
    expect(life.state?.nextEdgeAt).toBe(at(TOMORROW))
  })
})

describe('late', () => {
  it('every date that passed unheard is caught up, once, and says how late', () => {
    const life = knownInvoice()
    const events = life.lookEvents('2026-12-13T12:00Z')
    expect(events.map(({ type }) => type)).toEqual(['invoice.due', 'invoice.overdue'])
    expect(events.map(({ extras }) => extras)).toEqual([
      { reason: 'date', due_date: '2026-12-10', at: '2026-12-10T00:00:00.000Z', late_by: 5040 },
      { days_overdue: 3, due_date: '2026-12-10', at: '2026-12-11T00:00:00.000Z', late_by: 3600 },
    ])
    expect(life.look('2026-12-13T12:01Z')).toEqual([])
  })

  it('less than a minute is not late', () => {
    expect(knownInvoice().lookEvents('2026-12-03T00:00:59Z')[0]?.extras).not.toHaveProperty('late_by')
    expect(knownInvoice().lookEvents('2026-12-03T00:01:00Z')[0]?.extras).toMatchObject({ late_by: 1 })
  })
})

describe('a clock that jumps', () => {
  it('back rings nothing again', () => {
    const life = knownInvoice()
    life.look('2026-12-09T08:00Z')
    for (const day of [BEFORE, SOON, '2026-12-05T00:00Z', TOMORROW]) {
      expect(life.look(day)).toEqual([])
      life.configure({})
      expect(life.look(day)).toEqual([])
    }
    expect(life.look(DUE)).toEqual(['invoice.due'])
  })

  it('back before what was due could ring makes the earlier lead due again', () => {
    const life = knownInvoice()
    life.read(invoice({ number: '2' }), TOMORROW)
    expect(life.lookEvents('2026-12-04T00:00Z').map(({ extras }) => extras.lead)).toEqual(['7d'])
    expect(life.lookEvents(TOMORROW).map(({ extras }) => extras.lead)).toEqual(['1d'])
  })

  it('forth and back rings what it passed, once', () => {
    const life = knownInvoice()
    expect(life.look('2027-06-01T00:00Z')).toEqual(['invoice.due', 'invoice.overdue'])
    for (const day of [SOON, TOMORROW, DUE, OVERDUE]) expect(life.look(day)).toEqual([])
  })

  it('back with new leads tells nobody that what rang as due comes nearer', () => {
    const life = knownInvoice({}, { dueSoonMs: [36 * 3_600_000] })
    expect(life.look(DUE)).toEqual(['invoice.due'])
    life.configure({ dueSoonMs: [7 * 86_400_000, 86_400_000] })
    expect(life.look('2026-11-30T00:00Z')).toEqual([])
    life.look(DUE)
    life.configure({})
    expect(life.look('2026-12-04T00:00Z')).toEqual([])
    expect(life.look(OVERDUE)).toEqual(['invoice.overdue'])
  })
})

describe('what has passed', () => {
  it.each([
    [SOON, ['invoice.due_soon', 'invoice.due', 'invoice.overdue']],
    [TOMORROW, ['invoice.due', 'invoice.overdue']],
    [DUE, ['invoice.overdue']],
    [OVERDUE, []],
  ])('at a baseline on %s stays silent, later edges ring', (day, expected) => {
    const life = new Life('invoice')
    life.read(invoice(), day, 'silent')
    expect([day, TOMORROW, DUE, OVERDUE, '2027-01-01T00:00Z'].flatMap((each) => life.look(each))).toEqual(expected)
  })

  it('is judged by the last silent read, where a baseline takes several', () => {
    const life = new Life('invoice')
    life.read(invoice(), BEFORE, 'silent')
    life.read(invoice({ number: '2' }), SOON, 'silent')
    expect(life.look(SOON)).toEqual([])
  })

  it.each([
    [BEFORE, []],
    [SOON, ['7d']],
    ['2026-12-09T18:00Z', ['1d']],
    [DUE, ['date']],
    ['2026-12-30T00:00Z', ['overdue']],
  ])('of an invoice that appears on %s rings its latest edge after its creation', (day, edges) => {
    const life = new Life('invoice')
    expect(life.read(invoice(), day)).toEqual(['invoice.created'])
    const emitted = life.lookEvents(day).map(({ type, extras }) => extras.lead ?? extras.reason ?? type.split('.')[1])
    expect(emitted).toEqual(edges)
    expect(life.look(day)).toEqual([])
  })

  it('rings for one that appears with status due: only its latest date edge', () => {
    const life = new Life('invoice')
    expect(life.read(invoice({ status: 'due' }), DUE)).toEqual(['invoice.created'])
    expect(life.lookEvents(DUE).map(({ type, extras }) => [type, extras.reason])).toEqual([['invoice.due', 'date']])
  })

  it('keeps ringing what was missed, though something else changed meanwhile', () => {
    const life = knownInvoice()
    expect(life.read(invoice({ number: '2' }), OVERDUE)).toEqual(['invoice.updated'])
    expect(life.look(OVERDUE)).toEqual(['invoice.due', 'invoice.overdue'])
  })
})

describe('a due date that moves', () => {
  it('away arms the edges anew, and back rings nothing twice', () => {
    const life = knownInvoice()
    expect(life.look(SOON)).toEqual(['invoice.due_soon'])
    life.read(invoice({ due_date: '2026-12-20' }), '2026-12-04T00:00Z')
    expect(life.look('2026-12-10T00:00Z')).toEqual([])
    expect(life.look('2026-12-13T00:00Z')).toEqual(['invoice.due_soon'])
    life.read(invoice(), '2026-12-08T00:00Z')
    expect(life.look('2026-12-08T00:00Z')).toEqual([])
    expect(life.look(TOMORROW)).toEqual(['invoice.due_soon'])
    life.read(invoice({ due_date: '2026-12-20' }), '2026-12-14T00:00Z')
    expect(life.look('2026-12-19T00:00Z')).toEqual(['invoice.due_soon'])
  })

  it('into the past rings the latest edge it has passed', () => {
    const life = knownInvoice()
    life.read(invoice({ due_date: '2026-11-10' }), '2026-11-20T00:00Z')
    expect(life.look('2026-11-20T00:00Z')).toEqual(['invoice.overdue'])
    expect(life.look('2026-12-20T00:00Z')).toEqual([])
  })

  it('to today rings due, to a day nearby the nearest lead', () => {
    const today = knownInvoice()
    today.read(invoice({ due_date: '2026-11-20' }), '2026-11-20T09:00Z')
    expect(today.look('2026-11-20T09:00Z')).toEqual(['invoice.due'])
    const near = knownInvoice()
    near.read(invoice({ due_date: '2026-11-23' }), '2026-11-20T09:00Z')
    expect(near.lookEvents('2026-11-20T09:00Z').map(({ extras }) => extras)).toMatchObject([
      { lead: '7d', days_left: 3 },
    ])
  })

  it('from silence at the baseline into the past rings, for it moved', () => {
    const life = new Life('invoice')
    life.read(invoice({ due_date: '2026-10-01' }), '2026-11-01T00:00Z', 'silent')
    life.read(invoice({ due_date: '2026-10-05' }), '2026-11-01T01:00Z')
    expect(life.look('2026-11-01T01:00Z')).toEqual(['invoice.overdue'])
  })

  it('in another rendering has not moved', () => {
    const life = knownInvoice()
    life.look(SOON)
    life.read(invoice({ number: 7 }), '2026-12-04T00:00Z')
    life.read(invoice({ number: '7' }), '2026-12-04T01:00Z')
    expect(life.look('2026-12-04T01:00Z')).toEqual([])
  })
})

describe('suspension', () => {
  it.each(['in_modification', 'litigious', 'under_review'])(
    'by %s holds every edge; its end rings only the latest',
    (status) => {
      const life = knownInvoice()
      life.read(invoice({ status }), '2026-11-20T00:00Z')
      expect([SOON, TOMORROW, DUE, OVERDUE].flatMap((day) => life.look(day))).toEqual([])
      life.read(invoice({ status: 'new' }), '2026-12-12T00:00Z')
      expect(life.look('2026-12-12T00:00Z')).toEqual(['invoice.overdue'])
      expect(life.look('2026-12-13T00:00Z')).toEqual([])
    },
  )

  it('ends without a ring where the latest edge has rung', () => {
    const life = knownInvoice()
    life.look(SOON)
    life.read(invoice({ status: 'litigious' }), '2026-12-04T00:00Z')
    life.read(invoice(), '2026-12-05T00:00Z')
    expect(life.look('2026-12-05T00:00Z')).toEqual([])
    expect(life.look(TOMORROW)).toEqual(['invoice.due_soon'])
  })

  it('that began before the baseline ends with the latest edge', () => {
    const life = new Life('invoice')
    life.read(invoice({ status: 'litigious' }), OVERDUE, 'silent')
    life.read(invoice(), '2026-12-15T00:00Z')
    expect(life.look('2026-12-15T00:00Z')).toEqual(['invoice.overdue'])
  })

  it('beside a due date that moved rings the latest edge of the new one', () => {
    const life = knownInvoice()
    life.read(invoice({ status: 'in_modification', due_date: '2026-12-08' }), '2026-12-07T00:00Z')
    expect(life.look('2026-12-08T00:00Z')).toEqual([])
    life.read(invoice({ due_date: '2026-12-08' }), '2026-12-08T10:00Z')
    expect(life.look('2026-12-08T10:00Z')).toEqual(['invoice.due'])
  })

  it('an invoice that is open again after it was settled rings its latest edge', () => {
    const life = knownInvoice()
    life.read(invoice({ status: 'paid' }), '2026-11-20T00:00Z')
    expect(life.look('2026-12-20T00:00Z')).toEqual([])
    life.read(invoice({ status: 'available' }), '2026-12-20T00:00Z')
    expect(life.look('2026-12-20T00:00Z')).toEqual(['invoice.overdue'])
  })
})

describe('invoice.due', () => {
  it('rings by status and by date, each at most once per due date', () => {
    const life = knownInvoice()
    expect(life.read(invoice({ status: 'due' }), '2026-12-05T00:00Z')).toContain('invoice.due')
    expect(life.lookEvents(DUE).map(({ extras }) => extras.reason)).toEqual(['date'])
    life.read(invoice({ status: 'partially_paid' }), '2026-12-10T01:00Z')
    expect(life.read(invoice({ status: 'due' }), '2026-12-10T02:00Z')).toEqual(['invoice.status_changed'])
  })

  it('a status that turns due once the date has rung adds nothing', () => {
    const life = knownInvoice()
    expect(life.look(DUE)).toEqual(['invoice.due'])
    expect(life.read(invoice({ status: 'due' }), '2026-12-10T01:00Z')).toEqual(['invoice.status_changed'])
  })

  it('rings by status alone without a due date', () => {
    const life = knownInvoice({ due_date: null })
    expect(life.read(invoice({ due_date: null, status: 'due' }), '2026-12-10T01:00Z')).toEqual([
      'invoice.status_changed',
      'invoice.due',
    ])
  })
})

describe('invoice.overdue_cleared', () => {
  it.each<[string, JsonObject, boolean]>([
    ['is paid', { status: 'paid' }, true],
    ['is written off', { status: 'write_off' }, true],
    ['has no due date any more', { due_date: null }, true],
    ['is due today', { due_date: '2026-12-12' }, true],
    ['is due later', { due_date: '2027-01-10' }, true],
    ['was due yesterday', { due_date: '2026-12-11' }, false],
    ['is paid in part', { status: 'partially_paid' }, false],
    ['is suspended', { status: 'litigious' }, false],
    ['is suspended and due later', { status: 'in_modification', due_date: '2027-01-10' }, false],
    ['becomes a credit note', { type: 'credit_note' }, true],
    ['becomes a credit note in dispute', { type: 'credit_note', status: 'litigious' }, true],
    ['is of no known type any more', { type: 'proforma', status: 'paid' }, false],
  ])('where an overdue invoice %s: %j rings it: %s', (_, fields, rings) => {
    const types = overdueLife().read(invoice(fields), '2026-12-12T10:00Z')
    expect(types.includes('invoice.overdue_cleared')).toBe(rings)
  })

  it('is a calendar event of the read that shows it', () => {
    const event = overdueLife()
      .readEvents(invoice({ status: 'paid' }), '2026-12-12T10:00Z')
      .find(({ type }) => type === 'invoice.overdue_cleared')
    expect(event).toMatchObject({ cause: 'calendar', observed: null, changes: null, before: null })
    expect(event?.extras).toEqual({ due_date: '2026-12-10', at: new Date(event?.timestamp ?? 0).toISOString() })
  })

  it('judges today in the zone of the account', () => {
    const life = knownInvoice({}, { timeZone: 'Pacific/Kiritimati' })
    life.look('2026-12-10T10:00Z')
    expect(life.read(invoice({ due_date: '2026-12-11' }), '2026-12-11T10:00Z')).not.toContain('invoice.overdue_cleared')
    expect(life.read(invoice({ due_date: '2026-12-12' }), '2026-12-11T10:00Z')).toContain('invoice.overdue_cleared')
  })

  it('rings once for each time that it is overdue', () => {
    const life = overdueLife()
    const paid = ['invoice.status_changed', 'invoice.overdue_cleared']
    expect(life.read(invoice({ status: 'paid' }), '2026-12-12T10:00Z')).toEqual(paid)
    expect(life.read(invoice({ status: 'write_off' }), '2026-12-12T11:00Z')).toEqual(['invoice.status_changed'])
    life.read(invoice(), '2026-12-13T10:00Z')
    expect(life.look('2026-12-13T10:00Z')).toEqual(['invoice.overdue'])
    expect(life.look('2026-12-13T11:00Z')).toEqual([])
    expect(life.read(invoice({ status: 'paid' }), '2026-12-14T10:00Z')).toEqual(paid)
  })

  it.each<[string, JsonObject]>([
    ['the payment bounced', { status: 'paid' }],
    ['it was deferred and moved back', { due_date: '2027-01-10' }],
    ['its date went and came', { due_date: null }],
    ['it was a credit note for a while', { type: 'credit_note' }],
  ])('is followed by another overdue where %s', (_, meanwhile) => {
    const life = knownInvoice()
    const [, first] = life.lookEvents(OVERDUE)
    expect(first?.type).toBe('invoice.overdue')
    expect(life.read(invoice(meanwhile), '2026-12-12T10:00Z')).toContain('invoice.overdue_cleared')
    expect(life.look('2026-12-12T10:00Z')).toEqual([])
    expect(life.read(invoice(), '2026-12-13T10:00Z')).not.toContain('invoice.overdue_cleared')
    const [again, ...others] = life.lookEvents('2026-12-13T10:00Z')
    expect(others).toEqual([])
    expect(again).toMatchObject({ type: 'invoice.overdue', extras: { days_overdue: 3, due_date: '2026-12-10' } })
    expect(again?.id).not.toBe(first?.id)
  })

  it('is followed by another overdue for a date that had rung before the one that was cleared', () => {
    const life = overdueLife()
    life.read(invoice({ due_date: '2026-12-08' }), '2026-12-12T10:00Z')
    expect(life.look('2026-12-12T10:00Z')).toEqual(['invoice.overdue'])
    life.read(invoice({ due_date: '2026-12-08', status: 'paid' }), '2026-12-13T10:00Z')
    life.read(invoice(), '2026-12-14T10:00Z')
    expect(life.look('2026-12-14T10:00Z')).toEqual(['invoice.overdue'])
  })

  it('waits for the end of a suspension', () => {
    const life = overdueLife()
    life.read(invoice({ status: 'in_modification', due_date: '2027-01-10' }), '2026-12-12T10:00Z')
    expect(life.read(invoice({ due_date: '2027-01-10' }), '2026-12-13T10:00Z')).toContain('invoice.overdue_cleared')
  })

  it('never rings for an invoice that was overdue at the baseline', () => {
    const life = new Life('invoice')
    life.read(invoice(), '2026-12-20T00:00Z', 'silent')
    expect(life.read(invoice({ status: 'paid' }), '2026-12-21T00:00Z')).toEqual(['invoice.status_changed'])
  })

  it('does not ring where the clock jumps back before the due date', () => {
    expect(overdueLife().read(invoice({ number: '2' }), '2026-12-01T00:00Z')).toEqual(['invoice.updated'])
  })

  it('rings again for another due date that passed', () => {
    const life = overdueLife()
    life.read(invoice({ due_date: '2026-12-20' }), '2026-12-12T10:00Z')
    expect(life.look('2026-12-21T00:00Z')).toEqual(['invoice.due', 'invoice.overdue'])
    expect(life.read(invoice({ status: 'paid', due_date: '2026-12-20' }), '2026-12-22T00:00Z')).toContain(
      'invoice.overdue_cleared',
    )
  })
})

describe('a removed invoice that comes back', () => {
  it('starts anew with its latest edge, and what it had crossed rings nothing', () => {
    const life = knownInvoice()
    life.look(OVERDUE)
    const { state } = life
    if (state !== null) life.state = { ...state, removedAt: 5 }
    expect(life.read(invoice({ status: 'paid' }), '2026-12-20T00:00Z')).toEqual(['invoice.restored'])
    const other = knownInvoice()
    if (other.state !== null) other.state = { ...other.state, removedAt: 5 }
    other.read(invoice(), OVERDUE)
    expect(other.look(OVERDUE)).toEqual(['invoice.overdue'])
  })
})

const WRITTEN = [
  '2026-12-10T00:00:00Z',
  '2026-12-10T00:00:00.000Z',
  '2026-12-10T00:00:00+01:00',
  '2026-12-10 00:00:00',
  '2026-12-10T00:00:00',
  ' 2026-12-10 ',
  '20261210',
]
const UNREADABLE = ['10/12/2026', 1_796_860_800, 1_796_860_800_000, '2026-12-10T15:30:00Z', 'on receipt']

describe('a due date in another form', () => {
  it.each(WRITTEN)('is the day that is written, from the beginning: %j', (due_date) => {
    const life = knownInvoice({ due_date })
    expect(life.look(OVERDUE)).toEqual(['invoice.due', 'invoice.overdue'])
  })

  it.each(WRITTEN)('is no change, and the calendar goes on: %j', (due_date) => {
    const life = knownInvoice()
    expect(life.look(DUE)).toEqual(['invoice.due'])
    expect(life.read(invoice({ due_date }), DUE)).toEqual([])
    expect(life.lookEvents(OVERDUE)).toMatchObject([{ type: 'invoice.overdue', extras: { due_date: '2026-12-10' } }])
    expect(life.read(invoice({ due_date: '2026-12-10' }), '2026-12-12T10:00Z')).toEqual([])
    expect(life.read(invoice({ due_date, status: 'due' }), '2026-12-12T11:00Z')).toEqual(['invoice.status_changed'])
  })

  it.each(UNREADABLE)('that cannot be read rings its change, and the last one holds: %j', (due_date) => {
    const life = knownInvoice()
    expect(life.read(invoice({ due_date }), '2026-12-02T00:00Z')).toEqual(['invoice.due_date_changed'])
    expect(life.read(invoice({ due_date, number: '2' }), '2026-12-02T01:00Z')).toEqual(['invoice.updated'])
    expect(life.look(SOON)).toEqual(['invoice.due_soon'])
    expect(life.lookEvents(OVERDUE)).toMatchObject([{ type: 'invoice.due' }, { extras: { due_date: '2026-12-10' } }])
    expect(life.read(invoice({ due_date: 'whenever', number: '2' }), '2026-12-12T10:00Z')).toEqual([
      'invoice.due_date_changed',
    ])
    expect(life.look('2026-12-13T10:00Z')).toEqual([])
    expect(life.read(invoice({ number: '2' }), '2026-12-14T10:00Z')).toEqual(['invoice.due_date_changed'])
    expect(life.look('2026-12-14T10:00Z')).toEqual([])
    expect(life.read(invoice({ status: 'paid' }), '2026-12-15T10:00Z')).toContain('invoice.overdue_cleared')
  })

  it('that cannot be read is followed by the one that can be', () => {
    const life = overdueLife()
    life.read(invoice({ due_date: '10/01/2027' }), '2026-12-12T10:00Z')
    expect(life.read(invoice({ due_date: '2027-01-10' }), '2026-12-13T10:00Z')).toContain('invoice.overdue_cleared')
    expect(life.look('2027-01-11T00:00Z')).toEqual(['invoice.due', 'invoice.overdue'])
  })

  it('that cannot be read clears an invoice that is paid', () => {
    const life = overdueLife()
    life.read(invoice({ due_date: '10/01/2027' }), '2026-12-12T10:00Z')
    expect(life.read(invoice({ due_date: '10/01/2027', status: 'paid' }), '2026-12-13T10:00Z')).toContain(
      'invoice.overdue_cleared',
    )
  })
})
