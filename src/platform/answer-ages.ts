import { header, type Headers } from '../http/exchange.ts'

interface Arrival {
  readonly sentAt: number
  readonly answeredAt: number
}

/** The latest `Date` of the platform, and when the answer with it had arrived. */
interface Reference {
  readonly dateMs: number
  readonly arrivedAt: number
}

/** Answers in a row with an earlier `Date` that all differ as much from our clock. */
interface Steady {
  readonly count: number
  readonly since: number
  /** The least and the greatest difference. */
  readonly least: number
  readonly most: number
}

/** No copy is taken for older: a nonsensical `Age` must not hide what is answered for longer. */
const OLDEST_MS = 86_400_000
/** `Date` alone makes no answer older than this: clocks of machines that answer in turns may differ. */
const OLDEST_BY_DATE_MS = 3_600_000
/** `Date` comes in whole seconds, and answers that are made together arrive in any order. */
const TOLERANCE_MS = 3_000
/** After so many answers in a row with an earlier `Date`, the platform's clock was set back, or another machine answers. */
const MOST_BEHIND = 20
/**
 * How many answers are enough where their dates go on as our clock does, for so long: copies do not grow younger with the
 * time.
 */
const STEADY_BEHIND = 4
const STEADY_MS = 5_000

/**
 * How old answers are. A cache says so by `Age`. A cache without `Age` still sends the `Date` of when its copy was made, which is
 * compared only with other dates of the platform: an answer with an earlier `Date` than one that has already arrived was made
 * before that arrived, however wrong the platform's clock is. A clock that stands still makes no answer old.
 */
export class AnswerAges {
  #reference: Reference | null = null
  #behind = 0
  #steady: Steady | null = null

  /** 0: nothing says that it was not made when it was asked for. */
  ageMs(headers: Headers, arrival: Arrival): number {
    return Math.max(Math.min(saidAge(headers), OLDEST_MS), this.#ageByDate(headers, arrival))
  }

  #ageByDate(headers: Headers, { answeredAt, sentAt }: Arrival): number {
    const dateMs = Date.parse(header(headers, 'date'))
    if (Number.isNaN(dateMs)) return 0
    const reference = this.#reference
    if (reference === null || dateMs >= reference.dateMs) return this.#refer({ dateMs, arrivedAt: answeredAt })
    // It was asked for at the same time as the answer that it is compared with, or before our clock was set back.
    if (sentAt < reference.arrivedAt) return 0
    this.#behind += 1
    this.#steady = follow(this.#steady, answeredAt, answeredAt - dateMs)
    if (this.#behind > MOST_BEHIND || isSetBack(this.#steady, answeredAt))
      return this.#refer({ dateMs, arrivedAt: answeredAt })
    const ageMs = sentAt - reference.arrivedAt + (reference.dateMs - dateMs)
    return ageMs <= TOLERANCE_MS ? 0 : Math.min(ageMs, OLDEST_BY_DATE_MS)
  }

  #refer(reference: Reference): 0 {
    this.#reference = reference
    this.#behind = 0
    this.#steady = null
    return 0
  }
}

function follow(before: Steady | null, at: number, differsBy: number): Steady {
  const least = Math.min(before?.least ?? differsBy, differsBy)
  const most = Math.max(before?.most ?? differsBy, differsBy)
  if (before === null || most - least > TOLERANCE_MS) return { count: 1, since: at, least: differsBy, most: differsBy }
  return { count: before.count + 1, since: before.since, least, most }
}

function isSetBack({ count, since }: Steady, now: number): boolean {
  return count >= STEADY_BEHIND && now - since >= STEADY_MS
}

/** By `Age`, which a cache adds; 0 where there is none, or it cannot be understood. */
export function saidAge(headers: Headers): number {
  const age = header(headers, 'age').trim()
  return /^\d{1,10}$/.test(age) ? Number(age) * 1_000 : 0
}
