import { array, assert, constantFrom, integer, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../../src/message/message.ts'
import { fullPayload } from '../../../../src/model/payload.ts'
import { burstMessage } from '../../../../src/deliver/channels/slack/burst-message.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import { accepted, shownTexts } from './slack-limits.ts'
import { ANY_CHARACTER } from '../../../support/any-character.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const T = Date.UTC(2026, 10, 21, 8)

interface Shape {
  readonly type?: EventType
  readonly minutes?: number
  readonly name?: string
  readonly account?: string | null
}

/** The nth of a burst, of another shipment each. */
function eventOf(
  index: number,
  { type = 'shipment.eta_changed', minutes, name, account = 'acme' }: Shape,
): ShipbellEvent {
  const sample = sampleEvent(type)
  const id = `SHP-${index}`
  const direction = (minutes ?? 0) > 0 ? 'later' : 'earlier'
  const moved = minutes === undefined ? {} : { date_change: { ...change(sample), shift_minutes: minutes, direction } }
  return {
    ...sample,
    id: `evt_${String(index).padStart(4, '0')}`,
    account,
    timestamp: T + index * 1_000,
    subject: { ...sample.subject, id },
    shipment: sample.shipment && { ...sample.shipment, id, name: name ?? sample.shipment.name },
    extras: { ...sample.extras, ...moved },
  }
}

function change({ extras }: ShipbellEvent): object {
  const found = extras['date_change']
  return typeof found === 'object' && found !== null ? found : {}
}

function bodyOf(shapes: readonly Shape[]): string {
  const [first = {}, ...rest] = shapes
  return bodyOfEvents([eventOf(0, first), ...rest.map((shape, index) => eventOf(index + 1, shape))])
}

function bodyOfEvents(events: Parameters<typeof burstMessage>[0]): string {
  return JSON.stringify(burstMessage(events, (event) => messageOf(fullPayload(event))))
}

/** Two events of one shipment whose ETA moved, and `back` where it was. */
function movedTwice(name: string, { back = false } = {}): string {
  const first = eventOf(0, { minutes: 60, name })
  const { from, to } = { from: null, to: null, ...change(first) }
  const date_change = { ...change(first), ...(back ? { from: to, to: from } : {}) }
  return bodyOfEvents([first, { ...first, id: 'evt_0001', extras: { ...first.extras, date_change } }])
}

function repeated(count: number, shape: Shape): readonly Shape[] {
  return Array.from({ length: count }, () => shape)
}

describe('many events in one message', () => {
  it('are counted by how grave they are, and as many told as fit', () => {
    const body = bodyOf([
      ...repeated(300, { minutes: 1_440 }),
      ...repeated(180, { minutes: -60 }),
      ...repeated(20, { type: 'shipment.departed' }),
    ])
    const texts = shownTexts(body)
    expect(texts.slice(0, 2)).toEqual(['500 shipment events of acme', '300 warnings\n200 good news'])
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('• '))
    expect(lines.length).toBeGreaterThan(40)
    expect(texts.at(-1)).toBe(
      `${500 - lines.length} more shipments and records · Sat 21 Nov 2026, 08:00 UTC to Sat 21 Nov 2026, 08:08 UTC · evt_0000 to evt_0499`,
    )
    expect(accepted(body).text).toBe('500 shipment events of acme · 300 warnings · 200 good news')
  })

  it('are told the worst first, each tone beside its colour, and what moved farthest first', () => {
    const body = bodyOf([
      { minutes: -60, name: 'Early' },
      { minutes: 60, name: 'Late' },
      { minutes: 3_000, name: 'Very late' },
      { minutes: 0, name: 'Same' },
      { type: 'shipment.problem_reported', name: 'Problem' },
      { type: 'shipment.updated', name: 'Other' },
    ])
    const emitted = accepted(body).attachments.map(({ color, blocks = [] }) => [
      color,
      [...JSON.stringify(blocks).matchAll(/(Early|Late|Very late|Same|Problem|Other) /g)].map(([, name]) => name),
    ])
    expect(emitted).toEqual([
      ['#d72b3f', ['Problem']],
      ['#e8a33d', ['Very late', 'Late']],
      ['#7d8a99', ['Same', 'Other']],
      ['#2e9e6b', ['Early']],
      ['#7d8a99', []],
    ])
    expect(shownTexts(body).at(-1)).toMatch(/^Sat 21 Nov 2026, 08:00 UTC · evt_0000 to evt_0005$/)
  })

  it('of one shipment tell the news first, then what became of it', () => {
    const body = movedTwice('Toys')
    expect(accepted(body).text).toBe('ETA +3d → Tue 15 Dec 10:00 · Toys')
    expect(body).not.toContain('1 warning')
    expect(shownTexts(body)).toEqual([
      'ETA +3d → Tue 15 Dec 10:00 · Toys',
      '• ETA 12 → 15 Dec, 3 days later.',
      'Sat 21 Nov 2026, 08:00 UTC · evt_0000 to evt_0001',
    ])
  })

  it('of one shipment whose name the news leaves no room for name it whole below', () => {
    const name = 'Winter collection 2027, second delivery (1002)'
    const body = movedTwice(name)
    expect(shownTexts(body).slice(0, 2)).toEqual([
      'ETA +3d → Tue 15 Dec 10:00 · Winter collection 2027, second…',
      `• ${name}: ETA 12 → 15 Dec, 3 days later.`,
    ])
    const longer = movedTwice(`${name}, which needs a label on each box`)
    expect(shownTexts(longer)[1]).toBe(
      '• Winter collection 2027, second delivery (1002), which needs… (SHP-0): ETA 12 → 15 Dec, 3 days later.',
    )
  })

  it('of one shipment that is where it was say of which', () => {
    expect(accepted(movedTwice('Toys', { back: true })).text).toBe('All that changed is back to what it was · Toys')
  })

  it('of no account say what they are about', () => {
    expect(shownTexts(bodyOf(repeated(6, { type: 'endpoint.failing', account: null })))[0]).toBe(
      '6 subscription events',
    )
  })

  it('of any kind are taken by Slack', { tags: 'long' }, () => {
    const shape = record({
      type: constantFrom(...TYPES),
      minutes: integer({ min: -1e9, max: 1e9 }),
      name: constantFrom('<!channel>', '語'.repeat(100_000), '&'.repeat(500), '\u202e\n\n', 'Toys', '👩‍🔧'.repeat(100)),
      account: string({ unit: ANY_CHARACTER }),
    })
    assert(
      property(array(shape, { minLength: 2, maxLength: 200 }), (shapes) => {
        accepted(bodyOf(shapes))
      }),
      { numRuns: 40 },
    )
  })
})
