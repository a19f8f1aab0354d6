import { describe, expect, it } from 'vitest'
import { messageRenderer } from '../../src/deliver/channels/message-renderer.ts'
import { OperatorTemplate } from '../../src/message/template/operator-template.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { PEOPLES_CHANNEL } from '../deliver/channels/peoples-channel.ts'

const ETA = sampleEvent('shipment.eta_changed')

function dated(date: string, status = 'estimated') {
  return { date, status }
}

function moved(from: string, to: string): ShipbellEvent {
  const change = { milestone: 'arrival', from: dated(from), to: dated(to), shift_minutes: 60 }
  return { ...ETA, extras: { date_change: change } }
}

function shown(event: ShipbellEvent, timeZone: string | null, account: string | null = null) {
  return messageRenderer({ ...PEOPLES_CHANNEL, timeZone }, { zoneOf: () => account })(event)
}

function sides(event: ShipbellEvent, timeZone: string) {
  const { facts } = shown(event, timeZone)
  return facts.filter(({ name }) => name === 'from' || name === 'to').map(({ value }) => value)
}

describe('the dates of a message', () => {
  it.each([
    ['Europe/Paris', ['Sun 25 Oct 2026, 02:30 CEST', 'Sun 25 Oct 2026, 02:30 CET']],
    ['Asia/Kolkata', ['Sun 25 Oct 2026, 06:00 UTC+5:30', 'Sun 25 Oct 2026, 07:00 UTC+5:30']],
    ['Asia/Kathmandu', ['Sun 25 Oct 2026, 06:15 UTC+5:45', 'Sun 25 Oct 2026, 07:15 UTC+5:45']],
    ['America/Los_Angeles', ['Sat 24 Oct 2026, 17:30 UTC-7', 'Sat 24 Oct 2026, 18:30 UTC-7']],
    ['UTC', ['Sun 25 Oct 2026, 00:30 UTC', 'Sun 25 Oct 2026, 01:30 UTC']],
  ])('are those of the clocks of %s, also in the night when they are set back', (zone, expected) => {
    expect(sides(moved('2026-10-25T02:30:00+02:00', '2026-10-25T01:30:00Z'), zone)).toEqual(expected)
  })

  it('are those of midnight as 00:00', () => {
    expect(sides(moved('2026-12-31T23:00:00Z', '2027-01-01T00:00:00Z'), 'Europe/Paris')).toEqual([
      'Fri 1 Jan 2027, 00:00 CET',
      'Fri 1 Jan 2027, 01:00 CET',
    ])
  })

  it("are on the account's clocks where the subscription names none, and in UTC where there is no account", () => {
    expect(shown(ETA, null, 'Asia/Shanghai').sentence).toContain('Sat 12 Dec 2026, 18:00 UTC+8')
    expect(shown(ETA, null, 'Asia/Shanghai').seen).toContain('UTC+8')
    expect(shown(ETA, 'Europe/Paris', 'Asia/Shanghai').sentence).toContain('Sat 12 Dec 2026, 11:00 CET')
    expect(shown(ETA, null).sentence).toContain('Sat 12 Dec 2026, 10:00 UTC')
  })

  it('leave calendar dates as they are', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
      expect(shown(sampleEvent('invoice.due'), zone).sentence).toContain('is due on Tue 1 Dec 2026.')
  })

  it('leave what is no date as it is', () => {
    expect(sides(moved('soon', '2026-13-45T99:00:00Z'), 'Europe/Paris')).toEqual(['soon', '2026-13-45T99:00:00Z'])
  })

  it("are those of an operator's template too", () => {
    const source = '{{ data.date_change.to | moment }} / {{ data.date_change.to.date | date: "%d.%m. %H:%M" }}'
    const templates = new Map([[ETA.type, new OperatorTemplate('a.liquid', source)]])
    const render = (timeZone: string) => messageRenderer({ ...PEOPLES_CHANNEL, templates, timeZone }, {})(ETA).sentence
    expect(render('Asia/Kolkata')).toBe('Tue 15 Dec 2026, 15:30 UTC+5:30 / 15.12. 15:30')
    expect(render('UTC')).toBe('Tue 15 Dec 2026, 10:00 UTC / 15.12. 10:00')
  })
})

it('a date that only got another status is shown once', () => {
  const change = {
    milestone: 'arrival',
    from: dated('2026-12-15T11:00:00+01:00', 'planned'),
    to: dated('2026-12-15T10:00:00Z'),
    first: { date: '2026-12-15T10:00:00Z', seen_at: '2026-11-01T00:00:00Z' },
    shift_minutes: 0,
  }
  const { sentence, facts } = shown({ ...ETA, extras: { date_change: change } }, 'UTC')
  expect(sentence.match(/15 Dec/g)).toHaveLength(1)
  expect(facts.slice(0, 4).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'From: planned',
    'To: estimated',
    'Date: Tue 15 Dec 2026, 10:00 UTC',
    'Shipment: Spring collection (SHP-1)',
  ])
})

it('a tracking event that came true at its date says the date once', () => {
  const sample = sampleEvent('tracking.event_actualised')
  const date = '2026-11-20T10:00:00Z'
  const extras = {
    ...sample.extras,
    event: { description: 'Gate in', date, status: 'actual' },
    previous_event: { description: 'Gate in', date, status: 'estimated' },
  }
  const { sentence, facts } = shown({ ...sample, extras }, 'UTC')
  expect(sentence.match(/20 Nov/g)).toHaveLength(1)
  expect(facts.filter(({ value }) => value.includes('20 Nov'))).toHaveLength(1)
})
