import { header } from '../http/exchange.ts'
import { formatDuration } from '../model/duration.ts'
import { answerClock } from '../model/instant.ts'
import { isJsonObject, type Json } from '../model/json.ts'
import { parseRetryAfter } from '../model/retry-after.ts'
import { parseAnswer, type PlatformAnswer } from './answer.ts'
import { broken, type Failure, type Outcome } from './outcome.ts'
import type { Site } from './site.ts'
import { rateLimitOf } from './throttling.ts'

const BODY_EXCERPT = 120
const LONGEST_REFUSAL = 256 * 1024

/** Whether the answer to a read with this status is worth nothing without its whole body. */
export function isReadDecidedByBody(status: number): boolean {
  return status === 200 || status === 404
}

/** The outcome table of reads: what an answer's status and body mean. `missing`: what a 404 of the platform's own means here. */
export function judgeAnswer(answer: PlatformAnswer, missing: 'empty' | 'not_found', site: Site): Outcome<Json> {
  const { status, exchange } = answer
  if (status === 200) return judgeBody(answer, site)
  if (missing === 'not_found' && isGone(answer)) return { kind: 'not_found', exchange }
  if (status !== 404) return judgeFailure(answer, site)
  if (isMissing(answer, missing)) return { kind: missing, exchange }
  const request = site.describe(exchange)
  const found = `a 404 that is not the platform's${said(answer, site)}`
  return broken(`${site.host} answered ${request} with ${found}; check base_url.`, exchange)
}

/** What a status means that is a failure whatever was asked. */
export function judgeFailure(answer: PlatformAnswer, site: Site): Failure {
  const { status, exchange } = answer
  switch (status) {
    case 401:
    case 403: {
      const limit = rateLimitOf(answer.headers, exchange.answeredAt)
      if (status === 403 && limit.isExhausted) return judgeThrottling(answer, limit.waitMs, site)
      const request = site.describe(exchange)
      const reason = `${site.host} refused the API key (${status}) at ${request}${said(answer, site)}; check api_key.`
      return { kind: 'unauthorized', reason, exchange }
    }
    case 429:
      return judgeThrottling(answer, rateLimitOf(answer.headers, exchange.answeredAt).waitMs, site)
    default:
      return judgeStatus(answer, site)
  }
}

function judgeBody(answer: PlatformAnswer, site: Site): Outcome<Json> {
  const json = parseAnswer(answer.text)
  if (json !== undefined) return { kind: 'ok', value: json, exchange: answer.exchange }
  const found = describeUnparsable(answer.text)
  const reason = `${site.host} answered ${site.describe(answer.exchange)} with ${found}${said(answer, site)}.`
  return broken(reason, answer.exchange)
}

function describeUnparsable(text: string): string {
  const start = text.trimStart()
  if (start === '') return 'an empty body instead of JSON'
  if (start.startsWith('<')) return 'an HTML or XML page instead of JSON'
  return /^[{[]/.test(start) ? 'JSON that is cut off or malformed' : 'something that is not JSON'
}

/** A 204 shows nothing, a 410 says that it is gone for good; a page of HTML is a proxy's. */
function isGone({ status, text }: PlatformAnswer): boolean {
  return status === 204 || (status === 410 && !text.trimStart().startsWith('<'))
}

/** A list's 404 says "nothing here" only with an object body; an item's may have no body. A proxy's page is neither. */
function isMissing(answer: PlatformAnswer, missing: 'empty' | 'not_found'): boolean {
  // A refusal that says nothing is short: more is not looked through.
  if (answer.exchange.bytes > LONGEST_REFUSAL) return false
  return isJsonObject(parseAnswer(answer.text)) || (missing === 'not_found' && answer.text.trim() === '')
}

function judgeThrottling(answer: PlatformAnswer, retryAfterMs: number | null, site: Site): Failure {
  const { exchange, status } = answer
  const wait = retryAfterMs === null ? '' : `, asking to wait ${formatDuration(retryAfterMs)}`
  const reason = `${site.host} answered ${site.describe(exchange)} with ${status}, too many requests${wait}${said(answer, site)}.`
  return { kind: 'throttled', reason, retryAfterMs, exchange }
}

function judgeStatus(answer: PlatformAnswer, site: Site): Failure {
  const { status, exchange } = answer
  const start = `${site.host} answered ${site.describe(exchange)} with ${status}`
  if (status >= 300 && status < 400) {
    const target = redirectTarget(answer, site)
    return broken(
      `${start}, a redirect to ${target}, which is not followed; set base_url to the final address.`,
      exchange,
    )
  }
  const retryAfterMs = status === 503 ? retryAfter(answer) : null
  const wait = retryAfterMs === null ? '' : `, asking to wait ${formatDuration(retryAfterMs)}`
  return broken(`${start}${wait}${said(answer, site)}.`, exchange, retryAfterMs)
}

function redirectTarget(answer: PlatformAnswer, site: Site): string {
  const location = header(answer.headers, 'location')
  const url = location !== '' && URL.canParse(location, site.origin) ? new URL(location, site.origin) : null
  return url === null || url.host === '' ? 'nowhere' : site.excerpt(url.host, BODY_EXCERPT)
}

function retryAfter({ headers, exchange }: PlatformAnswer): number | null {
  return parseRetryAfter(
    header(headers, 'retry-after'),
    answerClock((name) => header(headers, name)) ?? exchange.answeredAt,
  )
}

/** `: "the beginning of the body"`, or nothing where there is none. */
function said(answer: PlatformAnswer, site: Site): string {
  const beginning = site.excerpt(answer.beginning, BODY_EXCERPT)
  return beginning === '' ? '' : `: "${beginning}"`
}
