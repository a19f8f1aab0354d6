import { expect, test } from 'vitest'
import { messageOf } from '../../src/message/message.ts'
import { wordingOf } from '../../src/message/wording/wording.ts'
import { EVENT_CATALOGUE, type EventType } from '../../src/model/event-catalogue.ts'
import { isJsonObject, type JsonObject } from '../../src/model/json.ts'
import { LANGUAGES, type Language } from '../../src/model/reader.ts'
import { samplePayload } from '../../src/samples/sample-payload.ts'

interface Told {
  readonly change?: JsonObject
  readonly language?: Language
  readonly cause?: string
}

function title(type: EventType, { cause, change, language = 'en' }: Told = {}): string {
  const payload = samplePayload(type)
  const { data } = payload
  const changed = data !== undefined && isJsonObject(data) ? { ...data, ...(change && { date_change: change }) } : {}
  const shown = { ...payload, ...(cause !== undefined && { cause }), data: changed }
  return messageOf(shown, { wording: wordingOf({ language, timeZone: 'Europe/Paris' }) }).title
}

function moved(minutes: number | null, to: string | null = '2026-12-01T18:30:00Z'): JsonObject {
  return {
    milestone: 'arrival',
    from: { date: '2026-12-01T09:00:00Z' },
    to: to === null ? null : { date: to },
    shift_minutes: minutes,
  }
}

test.each([
  [570, 'ETA +9h30 → Tue 1 Dec 19:30 · Spring collection'],
  [-25, 'ETA -25min → Tue 1 Dec 19:30 · Spring collection'],
  [60, 'ETA +1h → Tue 1 Dec 19:30 · Spring collection'],
  [4_320, 'ETA +3d → Tue 1 Dec 19:30 · Spring collection'],
  [-1_685, 'ETA -1d4h → Tue 1 Dec 19:30 · Spring collection'],
])('a date that moved by %d minutes says what, how far, to when and whose', (minutes, expected) => {
  expect(title('shipment.eta_changed', { change: moved(minutes) })).toBe(expected)
})

test('what did not move is told before whose it is, and what has to say something first is its sentence', () => {
  for (const change of [moved(0), moved(null), moved(60, null), moved(60, 'soon')])
    expect(title('shipment.eta_changed', { change })).toMatch(/^ETA .* · Spring collection$/)
  expect(title('shipment.eta_changed', { cause: 'test' })).toMatch(/^TEST: Arrival/)
  expect(title('shipment.departed')).toMatch(/^Departed ([+-]\w+ → )?\w+ \d+ \w+ \d\d:\d\d · Spring collection$/)
  expect(title('shipment.rolled')).toMatch(/^Rolled from .* to .* · Spring collection$/)
  expect(title('invoice.overdue')).toMatch(/^Invoice .* overdue: .* · Spring collection$/)
  expect(title('purchase_order.eta_changed')).toMatch(/^Expected delivery [+-]\w+ → \w+ \d+ \w+ \d\d:\d\d · PO-1$/)
})

test('of a day, an amount and a corrected date the new value comes within the first 60 characters', () => {
  expect(title('invoice.due_date_changed')).toBe('Due date 2026-0042 +3d → Tue 1 Dec · Spring collection')
  expect(title('credit_note.due_date_changed', { language: 'fr' })).toMatch(
    /^Échéance 2026-0043 → mar\. 1 déc\. · Spring collection$/,
  )
  expect(title('shipment.desired_delivery_date_changed')).toBe('Desired delivery +2d → Fri 18 Dec · Spring collection')
  expect(title('shipment.cargo_ready_date_changed', { language: 'de' })).toBe(
    'Bereitstellung der Ware +3d → Mo., 16. Nov. · Spring collec…',
  )
  expect(title('shipment.milestone_corrected')).toBe('Departure (actual) +1d → Fri 20 Nov 15:00 · Spring collecti…')
  const payload = {
    ...samplePayload('invoice.amount_changed'),
    data: { object: { number: 'N-1' }, from: { EUR: '1250.5' }, to: { EUR: '1300' } },
  }
  expect(messageOf(payload).title).toBe('Amount N-1 EUR +49.50 → EUR 1,300.00 · INV-1')
})

test('what an operator’s template says of anything but a date that moved is its headline', () => {
  const template = { file: 'own.liquid', source: '', render: () => 'Ours, of all that is', renderStrictly: () => '' }
  const own = (type: EventType): string => messageOf(samplePayload(type), { templates: { get: () => template } }).title
  expect(own('shipment.departed')).toBe('Ours, of all that is')
  expect(own('shipment.rolled')).toBe('Ours, of all that is')
  expect(own('invoice.due_date_changed')).toBe('Ours, of all that is')
  expect(own('shipment.eta_changed')).toBe('ETA +3d → Tue 15 Dec 10:00 · Spring collection')
})

test('every type has a title in every language, of at most 120 characters', () => {
  for (const { type } of EVENT_CATALOGUE) {
    const payload = samplePayload(type)
    for (const language of LANGUAGES) {
      const wording = wordingOf({ language, timeZone: 'Europe/Paris' })
      expect(messageOf(payload, { wording }).title).toMatch(/^.{5,120}$/)
    }
  }
  expect(title('shipment.eta_changed', { language: 'fr' })).toBe('ETA +3d → mar. 15 déc. 11:00 · Spring collection')
})

test('of a date all that counts stands in the first 60 characters, and a long name is cut', () => {
  const payload = samplePayload('shipment.eta_changed')
  const data = payload['data']
  const name = 'Running shoes to Le Havre, the second part of the order of spring'
  const named = {
    ...payload,
    data: {
      ...(data !== undefined && isJsonObject(data) ? data : {}),
      date_change: moved(570),
      shipment: { id: 'S', name },
    },
  }
  const message = messageOf(named, { wording: wordingOf({ language: 'en', timeZone: 'Europe/Paris' }) })
  expect(message.title).toBe('ETA +9h30 → Tue 1 Dec 19:30 · Running shoes to Le Havre, th…')
  expect(message.title).toHaveLength(60)
})
