import { sentenceOf } from '../message/message.ts'
import { textField, type Json } from '../model/json.ts'
import { terminalText } from './terminal-text.ts'

/** A payload in one line for people: time, sequence, type, account and what it says. Safe for a terminal. */
export function eventLine(payload: Json): string {
  const sequence = textField(payload, 'sequence')
  const type = textField(payload, 'type')
  const parts = [
    textField(payload, 'timestamp'),
    sequence === null ? null : `#${sequence}`,
    type ?? '(no type)',
    textField(payload, 'account'),
    type === null ? null : sentenceOf(payload),
  ]
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => terminalText(String(part)))
    .join('  ')
}
