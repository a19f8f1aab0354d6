import { field, isJsonObject, textField, type Json, type JsonObject } from '../model/json.ts'
import { factsOf, type Fact } from './facts.ts'
import { LiquidEngine, type Compiled } from './liquid.ts'
import { phraseOf } from './phrases/phrases.ts'
import { subjectName } from './subject-name.ts'
import type { Tone } from './tone.ts'

/** One event as people read it, in plain text that nothing escapes yet: whoever puts it out escapes it for where it goes. */
export interface Message {
  readonly type: string
  readonly tone: Tone
  /** One sentence. */
  readonly sentence: string
  readonly facts: readonly Fact[]
}

/** Sentences leave as plain text; made when first needed. */
let plain: LiquidEngine | null = null
const COMPILED = new Map<string, Compiled>()

/** Tells a payload (contract section 5, full or thin) to people. Never throws, whatever the payload holds. */
export function messageOf(payload: Json): Message {
  return {
    type: textField(payload, 'type') ?? 'unknown',
    tone: toneOf(payload),
    sentence: sentenceOf(payload),
    facts: factsOf(payload),
  }
}

/** The tone alone. */
export function toneOf(payload: Json): Tone {
  const { tone } = phraseOf(textField(payload, 'type') ?? 'unknown')
  return typeof tone === 'function' ? tone(field(payload, 'data')) : tone
}

/** The sentence alone. */
export function sentenceOf(payload: Json): string {
  const type = textField(payload, 'type') ?? 'event'
  plain ??= new LiquidEngine((text) => text)
  const { say } = phraseOf(type)
  const template = COMPILED.get(say) ?? plain.compile(say)
  COMPILED.set(say, template)
  try {
    return plain.render(template, contextOf(payload), { strict: false })
  } catch {
    // A bound was passed: people still hear what happened to whom.
    return `${type}: ${subjectName(payload)}.`
  }
}

/** What templates see: the payload, and `it`, the name of its subject. */
function contextOf(payload: Json): JsonObject {
  return { ...(isJsonObject(payload) ? payload : {}), it: subjectName(payload) }
}
