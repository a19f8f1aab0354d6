import { asStarted } from '../invocation.ts'
import { sentenceOf, toneOf } from '../message/message.ts'
import { AS_SENT, wordingOf, type Wording } from '../message/wording/wording.ts'
import { field, textField, type Json } from '../model/json.ts'
import type { LoggedEvent } from '../model/event.ts'
import { loggedPayload } from '../model/payload.ts'
import { withWallTimes, zoneOfCommand } from './wall-clock.ts'
import { painted, stylist, terminalText, type Paint } from './terminal.ts'

/** `evt_` and 40 bits: no two of millions of events share it but by a rare chance. */
const SHORT_ID = 14

/** A payload of any format in one line for people: time, sequence, type, account and what it says. Safe for a terminal. */
export function eventLine(payload: Json, paint: Paint = stylist(false), id: string | null = null): string {
  const sequence = textField(payload, 'sequence')
  const type = textField(payload, 'type')
  const parts = [
    paint('dim', safe(withWallTimes(textField(payload, 'timestamp') ?? textField(payload, 'time') ?? ''))),
    sequence === null ? '' : `#${safe(sequence.replace(/^0+(?=\d)/, ''))}`,
    painted(toneOf(asStandard(payload)), safe(type ?? '(no type)'), paint),
    safe(id),
    safe(textField(payload, 'account')),
    type === null ? '' : safe(sentence(payload)),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

function safe(text: string | null): string {
  return terminalText(text ?? '')
}

/** The line of an event in the log: it has the beginning of the event's id, too, by which every command finds it. */
export function loggedLine(event: LoggedEvent, paint: Paint): string {
  const expired = event.expiredAt === null ? '' : '  (payload expired)'
  return `${eventLine(loggedPayload(event), paint, event.id.slice(0, SHORT_ID))}${expired}`
}

/** The sentence of a payload; of an expired one its subject is all that is left. */
function sentence(payload: Json): string | null {
  if (field(payload, 'expired') === true) return textField(field(payload, 'subject'), 'id')
  return asStarted(sentenceOf(asStandard(payload), wallWording()))
}

/** How sentences about events say their dates; a program that is no such command says them as they were sent. */
function wallWording(): Wording {
  const timeZone = zoneOfCommand()
  return timeZone === null ? AS_SENT : wordingOf({ language: 'en', timeZone })
}

const CLOUD_TYPE = 'shipbell.'

/** What a CloudEvent says, where `format: standard` says it (guarantee P7). */
function asStandard(payload: Json): Json {
  if (textField(payload, 'specversion') === null) return payload
  const type = textField(payload, 'type') ?? ''
  const [resource = '', ...id] = (textField(payload, 'subject') ?? '').split('/')
  return {
    type: type.startsWith(CLOUD_TYPE) ? type.slice(CLOUD_TYPE.length) : type,
    account: field(payload, 'account') ?? null,
    subject: { resource, id: id.join('/') },
    data: field(payload, 'data') ?? null,
  }
}
