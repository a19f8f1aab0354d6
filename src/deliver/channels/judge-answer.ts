import { header, type Headers } from '../../http/exchange.ts'
import { answerClock } from '../../model/instant.ts'
import { parseRetryAfter } from '../../model/retry-after.ts'
import type { SendOutcome } from './channel.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  /** The beginning of the body, redacted; null where it is empty. */
  readonly body: string | null
  /** The beginning of the body as it came, by which it is judged: what is a secret elsewhere may be a word of it. Nothing of it is shown or kept. */
  readonly judged: string | null
}

/** What an answer means (guarantee S2): 2xx delivers, 410 ends it, everything else, redirects too, has failed. */
export function judgeAnswer(answer: HttpAnswer, origin: string, now: number): SendOutcome {
  const { status, body } = answer
  if (status >= 200 && status < 300) return { kind: 'delivered', status, answer: body }
  if (status === 410) return { kind: 'gone', status, answer: body, error: `${origin} answered 410 Gone` }
  return {
    kind: 'failed',
    status,
    answer: body,
    error: `${origin} answered ${status}${redirect(answer)}`,
    retryAfterMs: retryAfter(answer, now),
  }
}

/** How long the receiver asks to be left alone, by its own clock where it shows one; null where it does not ask. */
export function retryAfter({ headers }: HttpAnswer, now: number): number | null {
  return parseRetryAfter(header(headers, 'retry-after'), answerClock((name) => header(headers, name)) ?? now)
}

function redirect({ status, headers }: HttpAnswer): string {
  if (status < 300 || status >= 400) return ''
  const location = header(headers, 'location')
  const target = URL.canParse(location) ? ` to ${new URL(location).host}` : ''
  return `, a redirect${target}; redirects are not followed, so the url must be the final one`
}
