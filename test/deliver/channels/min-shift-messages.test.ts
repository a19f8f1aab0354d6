import { describe, expect, it } from 'vitest'
import { sinceTold } from '../../../src/deliver/since-told.ts'
import { sentenceOf } from '../../../src/message/message.ts'
import { fullPayload } from '../../../src/model/payload.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { NOTHING_ROUTED, route } from '../../../src/route/route.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { header, readMail } from './email/read-mail.ts'
import { claimed } from './email/mailing.ts'
import { MailDesk } from './email/mail-desk.ts'

const HOUR = 3_600_000

function move(version: number, from: string, to: string): ShipbellEvent {
  const sample = sampleEvent('shipment.eta_changed')
  const change = {
    milestone: 'arrival',
    from: { date: from, status: 'estimated' },
    to: { date: to, status: 'estimated' },
    shift_minutes: (Date.parse(to) - Date.parse(from)) / 60_000,
    direction: 'later',
    first: { date: from, seen_at: from },
  }
  const subject = { ...sample.subject, id: 'SHP-1', version }
  return { ...sample, id: `evt_${version}`, sequence: version, subject, extras: { date_change: change } }
}

function at(hour: number): string {
  return new Date(Date.parse('2026-12-12T10:00:00Z') + hour * HOUR).toISOString()
}

/** An ETA that went from 10:00 in steps of some hours; each step is an event. */
function steps(...hours: readonly number[]): readonly ShipbellEvent[] {
  return hours.map((hour, index) => move(index + 1, at(hours[index - 1] ?? 0), at(hour)))
}

/** The mails that a reader with `min_shift: 12h` gets. */
async function told(events: readonly ShipbellEvent[]) {
  const desk = await MailDesk.open({ start: '2026-11-21T08:00:00Z', channel: { timeZone: 'UTC' } })
  const subscriptions = desk.subscriptions.map((each) => ({ ...each, minShiftMs: 12 * HOUR }))
  const { deliveries, dates } = route(events, subscriptions, NOTHING_ROUTED)
  const storedAt = desk.clock.now()
  await desk.store.commit({ account: 'acme', storedAt, records: [], changes: [], events, deliveries, dates })
  desk.clock.jump(storedAt + 10_000)
  return await desk.deliver()
}

describe('a message about a date with min_shift', () => {
  it('tells the move since its reader was told, not only the last step', async () => {
    const [mail, ...more] = await told(steps(6, 14))
    expect(more).toEqual([])
    if (mail === undefined) throw new Error('nothing was told')
    expect(header(mail, 'subject')).toMatch(/^ETA \+14h → Sun 13 Dec 00:00 · /)
    expect(readMail(mail).text).toMatch(
      /From: Sat 12 Dec 2026, 10:00 UTC\r?\nTo: Sun 13 Dec 2026, 00:00 UTC\r?\nMoved: 14 hours later/,
    )
  })

  it('tells several moves that come together as one, from what was told to the last', async () => {
    const [mail, ...more] = await told(steps(13, 18, 30))
    expect(more).toEqual([])
    if (mail === undefined) throw new Error('nothing was told')
    expect(header(mail, 'subject')).toMatch(/^ETA \+1d6h → Sun 13 Dec 16:00 · /)
  })

  it('tells that a milestone was reached from what its reader was told, too', async () => {
    const [last, ...before] = steps(6, 8).toReversed()
    if (last === undefined) throw new Error('there is no last step')
    const [mail, ...more] = await told([...before, { ...last, type: 'shipment.arrived' }])
    expect(more).toEqual([])
    if (mail === undefined) throw new Error('nothing was told')
    expect(header(mail, 'subject')).toMatch(/^Arrived \+8h → Sat 12 Dec 18:00 · /)
  })
})

it('what programs get of it is what happened', () => {
  const event = move(2, '2026-12-12T16:00:00Z', '2026-12-13T00:00:00Z')
  const delivery = claimed(event, { lastTold: Date.parse('2026-12-12T10:00:00Z') })
  const before = JSON.stringify(fullPayload(delivery.event))
  expect(sinceTold(delivery).event.extras['date_change']).toMatchObject({ shift_minutes: 14 * 60, direction: 'later' })
  expect(JSON.stringify(fullPayload(delivery.event))).toBe(before)
})

it.each([
  ['nothing to say', null, { date_change: null }],
  ['a due date', Date.parse('2026-11-20T00:00:00Z'), { from: '2026-11-25', to: '2026-12-01' }],
  ['a date that cannot be read', 0, { date_change: { from: null, to: { date: 'soon' } } }],
] as const)('%s', (_, lastTold, extras: JsonObject) => {
  const { event } = sinceTold(claimed({ ...sampleEvent('invoice.due_date_changed'), extras }, { lastTold }))
  if (lastTold === null) expect(event.extras).toEqual(extras)
  else if ('to' in extras) expect(event.extras).toEqual({ from: '2026-11-20', to: '2026-12-01' })
  else expect(event.extras['date_change']).toEqual({ from: { date: '1970-01-01T00:00:00.000Z' }, to: { date: 'soon' } })
})

it('of an order it is the expected delivery that moved from what its reader was told', () => {
  const lastTold = Date.parse('2026-12-14T08:00:00Z')
  const { event } = sinceTold(claimed(sampleEvent('purchase_order.eta_changed'), { lastTold }))
  expect(event.extras).toMatchObject({ from: { date: '2026-12-14T08:00:00.000Z' }, shift_minutes: 7 * 24 * 60 })
  expect(sentenceOf(fullPayload(event))).toContain('moved 7 days later, from Mon 14 Dec 2026, 08:00 UTC to')
})
