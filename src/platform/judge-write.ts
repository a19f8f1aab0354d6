import { textField, field, isJsonArray, isJsonObject, type Json, nestsDeeperThan } from '../model/json.ts'
import { parseAnswer, type PlatformAnswer } from './answer.ts'
import { judgeFailure } from './judge-answer.ts'
import type { WriteOutcome, CallBody, CallOutcome } from './platform.ts'
import type { Site } from './site.ts'

const MESSAGE_EXCERPT = 300
/** Deeper, `JSON.stringify` and its like may overflow the stack. */
const DEEPEST = 1_000

/** The outcome table of writes: the status decides, so that an odd body never makes a write that was done look undone. */
export function judgeWrite(answer: PlatformAnswer, site: Site): WriteOutcome {
  const { status, exchange } = answer
  if (status >= 200 && status < 300) {
    return { kind: 'ok', value: { reference: textField(parseAnswer(answer.text), 'reference') }, exchange }
  }
  if (status !== 400 && status !== 404 && status !== 409 && status !== 422) return judgeFailure(answer, site)
  const message = site.excerpt(platformMessage(answer.text), MESSAGE_EXCERPT)
  const why = message === '' ? 'without saying why' : `saying "${message}"`
  const reason = `${site.host} refused ${site.describe(exchange)} with ${status}, ${why}.`
  return { kind: 'refused', status, reason, exchange }
}

/** An answer as it is, whatever its status. */
export function describeAnswer(answer: PlatformAnswer, site: Site): CallOutcome {
  const { status, exchange, text } = answer
  const message = site.excerpt(platformMessage(text), MESSAGE_EXCERPT)
  const said = message === '' ? '' : `: "${message}"`
  const reason = `${site.host} answered ${site.describe(exchange)} with ${status}${said}.`
  return { kind: 'answered', status, body: bodyOf(text), reason, exchange }
}

function bodyOf(text: string): CallBody {
  const value = parseAnswer(text)
  return value === undefined || nestsDeeperThan(value, DEEPEST) ? { kind: 'text', text } : { kind: 'json', value, text }
}

/** Where platforms put the sentence that says what was wrong, most telling first. */
const TELLING = ['message', 'detail', 'error_description', 'title', 'error', 'errors'] as const

/** What a refusal says for people: the message inside a JSON body of a usual shape, or else the body itself. */
function platformMessage(text: string): string {
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
