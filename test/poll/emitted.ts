import type { ShipbellEvent } from '../../src/model/event.ts'

export function typesOf(events: readonly ShipbellEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}

/** Type and subject of each. */
export function emitted(events: readonly ShipbellEvent[]): readonly (readonly [string, string])[] {
  return events.map(({ type, subject }) => [type, subject.id] as const)
}
