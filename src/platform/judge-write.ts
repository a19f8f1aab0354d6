import { textField } from '../model/json.ts'
import type { Answer } from './answer.ts'
import { judgeFailure } from './judge-answer.ts'
import { parseAnswer } from './parse-answer.ts'
import type { WriteOutcome } from './platform-client.ts'
import { platformMessage } from './platform-message.ts'
import type { Site } from './site.ts'

const MESSAGE_EXCERPT = 300

/** The outcome table of writes: the status decides, so that an odd body never makes a write that was done look undone. */
export function judgeWrite(answer: Answer, site: Site): WriteOutcome {
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
