import { asText, field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Element, Pair } from '../compare/pair.ts'
import { foldText } from '../compare/scalar.ts'
import { isExpected, type Estimates } from '../settle/estimates.ts'

/**
 * `date` and `status` of tracking events that are planned or estimated and stay so; events that come or go ring at once, and
 * nothing waits once the shipment is cancelled.
 */
export const trackingEstimates: Estimates = {
  of: ({ keys, pairs }, { shipment }) => {
    const [list, , events, identity, attribute] = keys
    const pair = pairs[1]
    if (list !== 'tracking_steps' || events !== 'events' || identity === undefined || pair === undefined) return null
    if (pair.before === null || pair.after === null) return null
    if (attribute !== 'date' && attribute !== 'status') return null
    const reported = [field(pair.before.value, 'date') ?? null, field(pair.before.value, 'status') ?? null]
    const isCancelled = shipment?.status === 'cancelled'
    const mayWait = !isCancelled && isEstimate(pair.before.value) && isEstimate(pair.after.value)
    return { key: JSON.stringify([pair.key, ...reported]), part: pair, mayWait }
  },
  keep: (leaves, { after }) => {
    const reported = [...new Set(leaves.map(({ pairs }) => pairs[1]))].filter((pair) => pair !== undefined)
    return reported.reduce((record, pair) => withEvent(record, pair, leaves), after)
  },
}

function isEstimate(event: Json): boolean {
  return isExpected(foldText(asText(field(event, 'status')) ?? ''))
}

/** The record with the held attributes of one of its events as they were. */
function withEvent(record: JsonObject, pair: Pair, leaves: readonly LeafChange[]): JsonObject {
  const steps = field(record, 'tracking_steps')
  const event = pair.after
  if (event === null || !isJsonArray(steps)) return record
  const tracking_steps = steps.map((step, index) =>
    index === event.owner?.index ? withHeld(step, event, heldOf(pair, leaves)) : step,
  )
  return { ...record, tracking_steps }
}

function heldOf(pair: Pair, leaves: readonly LeafChange[]): JsonObject {
  const own = leaves.filter(({ pairs }) => pairs[1] === pair)
  return Object.fromEntries(
    own.flatMap(({ keys }) => {
      const name = keys[4]
      return name === undefined ? [] : [[name, field(pair.before?.value ?? null, name) ?? null]]
    }),
  )
}

function withHeld(step: Json, { index: at }: Element, held: JsonObject): Json {
  const events = field(step, 'events')
  if (!isJsonObject(step) || !isJsonArray(events)) return step
  return {
    ...step,
    events: events.map((event, index) => (index === at && isJsonObject(event) ? { ...event, ...held } : event)),
  }
}
