import type { SendOutcome } from '../channel.ts'
import { retryAfter, type HttpAnswer } from '../judge-answer.ts'
import { showsMessage, svixDetail } from './svix-json.ts'

export interface SvixAnswer {
  readonly answer: HttpAnswer
  /** What was asked for, as the operator would say it: "the message", "the application acme". */
  readonly purpose: string
}

export interface Judging {
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
