import type { Answer } from './answer.ts'
import { nestsDeeperThan } from '../model/json.ts'
import { parseAnswer } from './parse-answer.ts'
import type { CallBody, CallOutcome } from './platform-client.ts'
import { platformMessage } from './platform-message.ts'
import type { Site } from './site.ts'

/** Deeper, `JSON.stringify` and its like may overflow the stack. */
const DEEPEST = 1_000
const MESSAGE_EXCERPT = 300

/** An answer as it is, whatever its status. */
export function describeAnswer(answer: Answer, site: Site): CallOutcome {
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
