import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { details } from './expected-calendar.ts'
import { identityOf } from './expected-tracking.ts'

export type Emitted = Pick<ShipbellEvent, 'type' | 'cause' | 'extras'> & {
  readonly subject: Pick<ShipbellEvent['subject'], 'resource' | 'id'>
}

/** What an event says happened, in the oracle's words: type, then what it is about within its subject. */
export function emitted({ type, subject, cause, extras }: Emitted): string {
  const detail = cause === 'calendar' ? details(extras) : detailOf(type, extras)
  return `${subject.resource} ${subject.id}: ${type}${detail === '' ? '' : ` ${detail}`}`
}

/** The same of what a receiver got. When a calendar event fell is no part of it. */
export function emittedOfPayload(payload: JsonObject): string {
  const data = field(payload, 'data') ?? null
  const type = textOf(payload, 'type')
  const subject = field(payload, 'subject')
  const slack = field(data, 'slack_days')
  const detail = slack === undefined ? detailOf(type, data) : details({ slack_days: slack })
  return `${textOf(subject, 'resource')} ${textOf(subject, 'id')}: ${type}${detail === '' ? '' : ` ${detail}`}`
}

function detailOf(type: string, extras: Json): string {
  if (type === 'account.removals_held') {
    const [resource, reason, missing, known] = ['resource', 'reason', 'missing', 'known'].map((name) =>
      textOf(extras, name),
    )
    return `${resource} ${reason} ${missing} of ${known}`
  }
  if (type === 'purchase_order.shipment_status_changed') return textOf(extras, 'shipment_id')
  if (type.endsWith('status_changed')) return `${textOf(extras, 'from')}>${textOf(extras, 'to')}`
  if (field(extras, 'date_change') !== undefined) return textOf(field(extras, 'date_change'), 'milestone')
  if (field(extras, 'container') !== undefined) return textOf(field(extras, 'container'), 'container_number')
  if (type.startsWith('tracking.event_')) return moveOf(extras)
  if (type.endsWith('assigned')) return `${textOf(field(extras, 'line'), 'reference')} ${textOf(extras, 'shipment_id')}`
  return ''
}

function moveOf(extras: Json): string {
  const step = field(extras, 'step')
  const move = field(extras, 'event') ?? field(extras, 'previous_event')
  const place = [textOf(step, 'type'), textOf(field(step, 'port'), 'unlocode')]
  return identityOf(place, {
    description: textOf(move, 'description'),
    container_number: textOf(move, 'container_number'),
  })
}

function textOf(value: Json | undefined, name: string): string {
  return textField(value, name) ?? ''
}
