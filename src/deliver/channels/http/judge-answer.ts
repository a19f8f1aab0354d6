import { answerClock } from '../../../model/instant.ts'
import { parseRetryAfter } from '../../../model/retry-after.ts'
import type { SendOutcome } from '../channel.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string | null
}

/** What an answer means (contract section 6): 2xx delivers, 410 ends it, everything else, redirects too, has failed. */
export function judgeAnswer(answer: HttpAnswer, origin: string, now: number): SendOutcome {
  const { status, body } = answer
  if (status >= 200 && status < 300) return { kind: 'delivered', status, answer: body }
  if (status === 410) return { kind: 'gone', status, answer: body, error: `${origin} answered 410 Gone` }
  const retryAfterMs = parseRetryAfter(header(answer, 'retry-after'), clockOf(answer) ?? now)
  return {
    kind: 'failed',
    status,
    answer: body,
    error: `${origin} answered ${status}${redirect(answer)}`,
    retryAfterMs,
  }
}

function redirect(answer: HttpAnswer): string {
  if (answer.status < 300 || answer.status >= 400) return ''
  const location = header(answer, 'location')
  const target = location !== null && URL.canParse(location) ? ` to ${new URL(location).host}` : ''
  return `, a redirect${target}; redirects are not followed, so the url must be the final one`
}

/** What the receiver's clock says; null where it does not. */
export function clockOf(answer: HttpAnswer): number | null {
  return answerClock((name) => header(answer, name))
}

function header({ headers }: HttpAnswer, name: string): string | null {
  const value = headers[name]
  return (typeof value === 'string' ? value : value?.[0]) ?? null
}
