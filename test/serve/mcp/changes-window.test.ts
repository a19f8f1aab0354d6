import { expect, test } from 'vitest'
import type { LoggedEvent } from '../../../src/model/event.ts'
import { type ChangesPlace, readPlace, readWindow, writePlace } from '../../../src/serve/mcp/changes-window.ts'
import type { EventQuery } from '../../../src/store/ports/log-query-port.ts'
import { sampleEvent, T } from '../../store/samples.ts'

function rang(nth: number, at: number): LoggedEvent {
  const subject = { resource: 'shipment', id: `SHP-${nth % 700}`, version: nth, previousEventId: null } as const
  return { ...sampleEvent(`evt_${nth}`, { subject, timestamp: at }), sequence: nth, expiredAt: null }
}

/** A log of which pages are asked for, what rang last first, whenever it was committed. */
class Log {
  #events: LoggedEvent[] = []

  add(event: LoggedEvent): void {
    this.#events = [...this.#events, event].toSorted(byPlace)
  }

  fill(events: readonly LoggedEvent[]): void {
    this.#events = events.toSorted(byPlace)
  }

  async eventPage({ cursor, limit, since = 0, until = Infinity }: EventQuery) {
    const asked = this.#events.filter(({ timestamp }) => timestamp >= since && timestamp < until)
    const rest = asked.filter((event) => cursor === undefined || placeOf(event) < Number(cursor))
    const items = rest.slice(0, limit)
    const last = items.at(-1)
    return { items, next: last === undefined || rest.length <= limit ? null : String(placeOf(last)) }
  }
}

function placeOf({ sequence, timestamp }: LoggedEvent): number {
  return (timestamp - T) * 100_000 + sequence
}

function byPlace(one: LoggedEvent, other: LoggedEvent): number {
  return placeOf(other) - placeOf(one)
}

const goOn = async (): Promise<void> => undefined

test('a place is what was written', () => {
  const place: ChangesPlace = { since: T, end: { at: T + 1, sequences: [['acme', 7]] }, from: 'x', shown: 3 }
  expect(readPlace(writePlace(place))).toEqual(place)
  expect(() => readPlace('none')).toThrow('none of list_changes')
})

test('every event is in one window, whatever rings while somebody pages', async () => {
  const log = new Log()
  log.fill(Array.from({ length: 4_700 }, (_, nth) => rang(nth, T + nth)))
  const told: string[] = []
  let place: ChangesPlace | null = { since: T + 100, end: null, from: null, shown: 0 }
  const amounts: number[] = []
  while (place !== null) {
    const window = await readWindow(log, place, goOn)
    const ids = window.entries.flatMap(({ events }) => events.map(({ id }) => id))
    amounts.push(ids.length)
    told.push(...ids)
    // The same window is read again for its second page, with what rang meanwhile before it: some of it seen earlier.
    log.add(rang(10_000 + amounts.length, T + 50_000))
    log.add(rang(20_000 + amounts.length, T + 4_000))
    const again = await readWindow(log, { ...place, end: window.end }, goOn)
    expect(again.entries.map(({ id, events }) => [id, events.length])).toEqual(
      window.entries.map(({ id, events }) => [id, events.length]),
    )
    place = window.next === null ? null : { ...place, end: window.end, from: window.next }
  }
  expect(amounts).toEqual([2_000, 2_000, 600])
  expect(told.toSorted()).toEqual(Array.from({ length: 4_600 }, (_, nth) => `evt_${nth + 100}`).toSorted())
})
