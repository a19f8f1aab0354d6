import type { Json } from '../model/json.ts'
import { parseExactJson } from './parse-exact-json.ts'

/** The JSON of an answer's body; undefined where it is none. */
export function parseAnswer(text: string): Json | undefined {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
