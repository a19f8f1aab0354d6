import type { ShipbellEvent } from './event.ts'

/** What is at hand of an event's `data` as `JSON.stringify` makes it: it is not serialised again. */
export interface EventTexts {
  /** `event.object`, in UTF-8; `undefined`: there is none, or it is not at hand. */
  readonly objectJson?: Uint8Array | undefined
  /** What follows it in `data`, where that is at hand. */
  readonly restJson?: string | undefined
}

const NONE: EventTexts = {}
const TEXTS = Symbol('texts')

/** An event with its texts, which no copy of it has: an entry of a `WeakMap` for each would take the collector longer. */
interface Texted {
  readonly [TEXTS]?: EventTexts
}

/** Notes the texts of an event that was read from where they are kept. */
export function keepTexts(event: ShipbellEvent, texts: EventTexts): void {
  Object.defineProperty(event, TEXTS, { value: texts })
}

/** The texts that are kept of an event: of this very object, not of one that was made of it. */
export function textsOf(event: ShipbellEvent & Texted): EventTexts {
  return event[TEXTS] ?? NONE
}
