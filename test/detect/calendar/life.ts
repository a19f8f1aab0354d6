import type { CalendarSettings } from '../../../src/detect/calendar/calendar-settings.ts'
import { ringEdges } from '../../../src/detect/calendar/ring-edges.ts'
import { detectChange } from '../../../src/detect/detect-change.ts'
import type { EventDraft } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { RecordState } from '../../../src/model/record-state.ts'

const DAY_MS = 86_400_000

/** `2026-12-01T00:00Z`, in milliseconds. */
export function at(text: string): number {
  return Date.parse(text)
}

const SETTINGS = { timeZone: 'UTC', dueSoonMs: [7 * DAY_MS, DAY_MS], milestoneGraceMs: DAY_MS }

/** One record under the calendar: reads of it, and looks at the clock in between. */
export class Life {
  state: RecordState | null = null
  settings: Omit<CalendarSettings, 'now'>
  readonly #resource: 'invoice' | 'shipment'
  #reads = 0

  constructor(resource: 'invoice' | 'shipment', settings: Partial<Omit<CalendarSettings, 'now'>> = {}) {
    this.#resource = resource
    this.settings = { ...SETTINGS, ...settings }
  }

  /** A read of the record while the calendar shows `now`; the types it rings. */
  read(record: JsonObject, now: string | number, mode: 'ring' | 'silent' = 'ring'): readonly string[] {
    return this.readEvents(record, now, mode).map(({ type }) => type)
  }

  readEvents(record: JsonObject, now: string | number, mode: 'ring' | 'silent' = 'ring'): readonly EventDraft[] {
    this.#reads += 1
    const instant = typeof now === 'number' ? now : at(now)
    const { state, events } = detectChange({
      account: 'acme',
      resource: this.#resource,
      id: 'X-1',
      before: this.state,
      after: record,
      // Reads are ordered by the wall clock, which a calendar that jumps does not follow.
      read: { sentAt: this.#reads * 1_000, answeredAt: this.#reads * 1_000 + 1 },
      mode,
      absentAt: null,
      ignore: [],
      shipment: null,
      calendar: { ...this.settings, now: instant },
    })
    this.state = state
    return events
  }

  /** The calendar looks at the record, as it does when an edge is due: the types it rings. */
  look(now: string | number): readonly string[] {
    return this.lookEvents(now).map(({ type }) => type)
  }

  lookEvents(now: string | number): readonly EventDraft[] {
    const instant = typeof now === 'number' ? now : at(now)
    if (this.state === null || this.state.nextEdgeAt === null || this.state.nextEdgeAt > instant) return []
    const calendar = { ...this.settings, now: instant }
    const { state, resource } = { state: this.state, resource: this.#resource }
    const rung = ringEdges({ account: 'acme', resource, state, calendar, firedAt: 77, shipment: null })
    this.state = rung.state
    return rung.events
  }

  /** New settings: every record is looked at once (`CalendarStore.configure`). */
  configure(settings: Partial<Omit<CalendarSettings, 'now'>>): void {
    this.settings = { ...this.settings, ...settings }
    if (this.state !== null) this.state = { ...this.state, nextEdgeAt: 0 }
  }
}

export function invoice(fields: JsonObject = {}): JsonObject {
  return { reference: 'X-1', type: 'invoice', status: 'available', due_date: '2026-12-10', ...fields }
}

/** An invoice known since its baseline long before its due date. */
export function knownInvoice(fields: JsonObject = {}, settings: Partial<Omit<CalendarSettings, 'now'>> = {}): Life {
  const life = new Life('invoice', settings)
  life.read(invoice(fields), '2026-11-01T12:00Z', 'silent')
  return life
}
