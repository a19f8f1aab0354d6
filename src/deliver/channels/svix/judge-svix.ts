import type { SendOutcome } from '../channel.ts'
import { retryAfter, type HttpAnswer } from '../judge-answer.ts'

export interface SvixAnswer {
  readonly answer: HttpAnswer
  /** What was asked for, as the operator would say it: "the message", "the application acme". */
  readonly purpose: string
}

interface Judging {
  readonly origin: string
  readonly now: number
}

const ELSEWHERE = '; a Svix server accepts otherwise: svix.server must be its final address'

/** Accepted only where Svix shows the message. All else is tried again by the schedule, since an operator may mend it. */
export function judgeMessage(about: SvixAnswer, judging: Judging): SendOutcome {
  const { status, body } = about.answer
  if (isSuccess(status) && showsMessage(about.answer)) return { kind: 'delivered', status, answer: body }
  return judgeFailure(about, judging)
}

export function judgeFailure({ answer, purpose }: SvixAnswer, { origin, now }: Judging): SendOutcome {
  const { status, body } = answer
  const detail = svixDetail(answer)
  const said = detail === null ? '' : ` ("${detail}")`
  const error = `${origin} answered ${status} for ${purpose}${said}${remedy(status)}`
  return { kind: 'failed', status, answer: body, error, retryAfterMs: retryAfter(answer, now) }
}

function remedy(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return '; it does not accept svix.token, or not for this: correct the token'
    case 404:
      return '; svix.server must be the address of a Svix server, and an svix.app that begins with app_ must exist there'
    case 413:
    case 422:
      return '; repeating it may not help, so mend what it complains of'
    default:
      return status < 400 ? ELSEWHERE : ''
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

const LONGEST_DETAIL = 200

/** Whether this is how a Svix server shows a message: JSON with its id. A proxy's page with status 200 is not. */
function showsMessage({ judged }: HttpAnswer): boolean {
  const id = member(parsed(judged), 'id')
  return typeof id === 'string' && id !== ''
}

/** What Svix says is wrong, on one line: its `detail`, or the messages of its validation; null where it says nothing. */
function svixDetail({ body }: HttpAnswer): string | null {
  const detail = member(parsed(body), 'detail')
  const parts: readonly unknown[] = Array.isArray(detail)
    ? detail.map((item: unknown) => member(item, 'msg'))
    : [detail]
  const text = parts.filter((part) => typeof part === 'string').join('; ')
  const line = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_DETAIL)
  return line === '' ? null : line
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return null
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
