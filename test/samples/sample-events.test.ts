import { describe, expect, test } from 'vitest'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE, type EventType } from '../../src/model/event-catalogue.ts'
import { field, isJsonObject, textField, type Json } from '../../src/model/json.ts'
import { fullPayload } from '../../src/model/payload.ts'
import { leavesOf, undone } from './leaves.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const WHOLE = /\.(?:created|removed|restored)$|^document\.added$/

/** What `data` has beside the record, by the contract; `previous` and `changes` are judged apart. */
const EXTRAS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^shipment\.status_changed$/, ['from', 'to', 'regression']],
  [/^shipment\.(?:cargo_ready|desired_delivery)_date_changed$/, ['from', 'to', 'shift_days']],
  [/^shipment\.(?:rerouted|quote_accepted)$/, ['from', 'to']],
  [/^shipment\.references_changed$/, ['orders', 'invoices']],
  [/^purchase_order\.shipment_status_changed$/, ['shipment_id', 'from', 'to']],
  [/^shipment\.(?:\w+_date|etd|eta)_changed$/, ['date_change']],
  [/^shipment\.(?:picked_up|departed|arrived|delivered|problem_\w+)$/, ['date_change']],
  [/^shipment\.milestone_corrected$/, ['date_change', 'corrects']],
  [/^shipment\.container_/, ['container']],
  [/^shipment\.delivery_(?:at_risk|back_on_track)$/, ['slack_days', 'at']],
  [/^shipment\.milestone_overdue$/, ['milestone', 'hours_late', 'date', 'at']],
  [/^tracking\.event_/, ['step', 'event', 'previous_event']],
  [/^tracking\.position_changed$/, ['position']],
  [/^shipment\.(?:rolled|invoice_status_changed)$|^tracking\.status_changed$/, ['from', 'to']],
  [/^(?:invoice|credit_note)\.(?:status|due_date|amount)_changed$/, ['from', 'to']],
  [/^purchase_order\.(?:assigned|unassigned|shipped_quantity_changed)$/, ['line', 'shipment_id']],
  [/^purchase_order\.eta_changed$/, ['from', 'to', 'shift_minutes', 'unknown', 'shipments', 'because']],
  [/^purchase_order\.delivery_(?:at_risk|back_on_track)$/, ['slack_days', 'to', 'because']],
  [/^purchase_order\.fully_assigned$/, ['because']],
  [/^purchase_order\.delivered$/, ['date', 'because']],
  [/^expectation\.missed$/, ['expectation', 'by', 'severity', 'at']],
  [/^expectation\.met$/, ['expectation', 'by', 'severity', 'at', 'late_by']],
  [/^expectation\.withdrawn$/, ['expectation', 'by', 'severity', 'at', 'reason']],
  [/^document\./, ['content_url']],
  [/^invoice\.due_soon$/, ['lead', 'days_left', 'due_date', 'at']],
  [/^invoice\.due$/, ['reason', 'due_date', 'at']],
  [/^invoice\.overdue$/, ['days_overdue', 'due_date', 'at', 'late_by']],
  [/^invoice\.overdue_cleared$/, ['due_date', 'at']],
  [/^account\.baseline_completed$/, ['resource', 'count', 'at']],
  [/^account\.(?:unreachable|unauthorized)$/, ['reason', 'at']],
  [/^(?:account|endpoint)\.recovered$/, ['was', 'down_since', 'at']],
  [/^account\.paused$/, ['reason', 'until', 'at']],
  [/^account\.clock_differs$/, ['difference_seconds', 'platform_date', 'at']],
  [/^account\.list_incomplete$/, ['resource', 'skip', 'reason', 'at']],
  [/^account\.list_stale$/, ['resource', 'sampled', 'differed', 'sample', 'at']],
  [/^account\.removals_held$/, ['resource', 'reason', 'known', 'missing', 'sample', 'at']],
  [/^account\.schema_drift$/, ['resource', 'path', 'at']],
  [/^account\.record_rejected$/, ['resource', 'id', 'reason', 'more', 'count', 'sample', 'at']],
  [/^endpoint\.(?:failing|exhausted)$/, ['reason', 'failures', 'since', 'at']],
  [/^endpoint\.disabled$/, ['reason', 'held', 'since', 'at']],
  [/^endpoint\.filter_failed$/, ['where', 'reason', 'event_id', 'event_type', 'at']],
  [/^shipbell\.configuration_rejected$/, ['file', 'problems', 'more', 'at']],
  [/^shipbell\.watermark$/, ['at', 'complete_through', 'position', 'resources', 'series']],
  [/^shipbell\.test$/, ['subscription', 'message', 'at']],
]

function extrasOf(type: EventType): readonly string[] {
  return EXTRAS.find(([pattern]) => pattern.test(type))?.[1] ?? []
}

function minutesBetween(from: Json | undefined, to: Json | undefined): number {
  return (Date.parse(textField(to, 'date') ?? '') - Date.parse(textField(from, 'date') ?? '')) / 60_000
}

function isDiff(type: EventType): boolean {
  return EVENT_CATALOGUE.find((info) => info.type === type)?.family === 'diff'
}

const SAMPLES = TYPES.map((type) => [type, sampleEvent(type)] as const)
const OF_CHANGES = SAMPLES.flatMap(([type, event]) => {
  const { before, changes, object } = event
  return changes === null || object === null || before === null
    ? []
    : [[type, { before, changes, event, object }] as const]
})

describe('a sample', () => {
  test.each(SAMPLES)('of %s is of its type, has its place in a chain, and is always the same', (type, event) => {
    const { version, previousEventId } = event.subject
    expect(event.type).toBe(type)
    expect(event.id).toMatch(type === 'shipbell.watermark' ? /^wm_[0-9a-f]{40}$/ : /^evt_[0-9a-f]{40}$/)
    expect(previousEventId === null).toBe(version <= 1)
    expect(event.account).toBe(/^(?:endpoint|shipbell)\./.test(type) ? null : 'acme')
    expect(sampleEvent(type)).toEqual(event)
  })

  test.each(SAMPLES)('of %s has what its type adds to `data`, and nothing else', (type, event) => {
    const known = new Set(['object', 'previous', 'changes', 'shipment'])
    if (event.subject.resource === 'purchase_order') expect(event.extras['order_status']).toBeDefined()
    const names = Object.keys(fullPayload(event)['data'] ?? {}).filter(
      (name) => !known.has(name) && name !== 'order_status',
    )
    expect(names.toSorted()).toEqual(extrasOf(type).toSorted())
  })

  test.each(SAMPLES)('of %s has changes where its type has them, and was observed where it was read', (type, event) => {
    const changed = isDiff(type) && !WHOLE.test(type)
    expect([event.changes !== null, event.before !== null]).toEqual([changed, changed])
    expect(event.observed !== null).toBe(isDiff(type))
    expect(event.observed?.notBefore ?? 0).toBeLessThan(event.timestamp)
  })

  test.each(OF_CHANGES)('of %s claims each changed leaf once; undone they give what was before', (_, sample) => {
    const { before, changes, event, object } = sample
    expect(new Set(changes.map(({ path, removed = false }) => `${path} ${removed}`)).size).toBe(changes.length)
    expect(undone(object, changes)).toEqual(leavesOf(before))
    const names = new Set(changes.map(({ path }) => path.split('/')[1]))
    const previous = Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)))
    expect(fullPayload(event)['data']).toMatchObject({ object, previous })
    for (const { path, from, to, removed = false } of changes) {
      expect(leavesOf(before).get(path) ?? null).toEqual(from)
      expect(removed ? null : (leavesOf(object).get(path) ?? null)).toEqual(to)
    }
  })

  test.each(OF_CHANGES.filter(([, { event }]) => 'date_change' in event.extras))(
    'of %s has a date change that agrees with the record',
    (_, { before, event, object }) => {
      const change = event.extras['date_change']
      const name = `${textField(change, 'milestone')}_date`
      const [from, to] = [before, object].map((record) => field(field(record, 'main_tracking_dates'), name))
      const shift = minutesBetween(from, to)
      expect(change).toMatchObject({ from, to, shift_minutes: shift, direction: shift === 0 ? 'none' : 'later' })
      expect(field(change, 'drift_minutes')).toBe(minutesBetween(field(change, 'first'), to))
      expect(shift).toBeGreaterThanOrEqual(0)
    },
  )

  test.each(OF_CHANGES.filter(([, { changes, event }]) => 'from' in event.extras && changes.length === 1))(
    'of %s says from and to as its change does, or tells the whole field that it is in',
    (_, { before, changes, event, object }) => {
      const name = changes[0]?.path.split('/')[1] ?? ''
      const change = { from: changes[0]?.from, to: changes[0]?.to }
      const whole = { from: field(before, name) ?? null, to: field(object, name) }
      expect(event.extras).toMatchObject(isJsonObject(event.extras['to'] ?? null) ? whole : change)
    },
  )
})
