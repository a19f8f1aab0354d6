import { field, isJsonArray, isJsonObject, type Json } from '../model/json.ts'
import { parseAnswer } from './parse-answer.ts'

/** Where platforms put the sentence that says what was wrong, most telling first. */
const TELLING = ['message', 'detail', 'error_description', 'title', 'error', 'errors'] as const

/** What a refusal says for people: the message inside a JSON body of a usual shape, or else the body itself. */
export function platformMessage(text: string): string {
  return messageIn(parseAnswer(text), 3) ?? text
}

function messageIn(value: Json | undefined, depth: number): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (depth === 0) return null
  if (isJsonArray(value)) return messageIn(value[0], depth - 1)
  if (!isJsonObject(value)) return null
  for (const key of TELLING) {
    const message = messageIn(field(value, key), depth - 1)
    if (message !== null) return message
  }
  return null
}
