import { uptime } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The only source of time. Instants are milliseconds since the Unix epoch. */
export interface Clock {
  /** Wall-clock time: signatures, read times, what people are shown. It may be set, forwards and backwards. */
  now(): number
  /** Milliseconds since some instant, for lengths: nobody sets it, and it goes on while the machine sleeps. */
  monotonic(): number
  /** The day an account's due dates are judged against; differs from `now()` only where a simulated platform drives it. */
  calendarNow(account: string): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `act` once, after `ms`, unless it is disposed of before: what costs little where most timers never go off. */
  after(ms: number, act: () => void): Disposable
}

/** What comes of work, or `late` where it takes longer than `ms`: it goes on, and nobody waits for it. Rejects as the work does. */
export async function inTime<T, const L>(
  work: Promise<T>,
  { clock, late, ms }: { readonly clock: Pick<Clock, 'sleep'>; readonly ms: number; readonly late: L },
): Promise<T | L> {
  const done = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(ms, done.signal).then(() => late)])
  } finally {
    done.abort()
  }
}

/** Node clamps longer timers to 1 ms, so longer sleeps end early and their loop looks again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How often is looked whether the machine slept, and how exactly that is noticed. */
const SLEEP_LOOK_MS = 1_000
const SHORTEST_SLEEP_MS = 2_000

/** Hundreds of sleepers may be due at once, above all where the loop was held: they wake in turns. */
const mayWake = sharedTurns({ monotonic: () => systemClock.monotonic() })

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: wakefulTime(),
  calendarNow: () => Date.now(),
  sleep: async (ms, signal) => {
    if (signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        alarm[Symbol.dispose]()
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const alarm = new Alarm(ms, end)
      signal?.addEventListener('abort', end)
    })
  },
  after: (ms, act) => new Alarm(ms, act),
}

/** Acts once, unless it is disposed of before. */
class Alarm implements Disposable {
  readonly #timer: NodeJS.Timeout
  #act: (() => void) | null

  constructor(ms: number, act: () => void) {
    this.#act = act
    this.#timer = setTimeout(() => this.#ring(), withinTimer(ms))
  }

  #ring(): void {
    const others = mayWake()
    if (others === null) this.#act?.()
    else void others.then(() => this.#act?.())
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#act = null
  }
}

/** Instants of a clock elsewhere come in whole milliseconds, rounded down. */
const GRAIN_MS = 1

/** A clock that is told what another one shows: that of a database, which all who share the database agree on. */
export interface FollowingClock extends Clock {
  /**
   * The other clock showed `at` somewhere between two instants of `monotonic()`: before it was asked, and after it answered. What
   * agrees with that stays as it is.
   */
  follow(at: number, between: readonly [number, number]): void
  /** The one that it follows from, as it goes on. */
  readonly own: Clock
}

/** The clock of this machine, whatever another clock follows. */
export function ownClock(clock: Clock): Clock {
  return isFollowing(clock) ? clock.own : clock
}

export function isFollowing(clock: Clock): clock is FollowingClock {
  return 'follow' in clock
}

/** Shows the time of `own` until it is told another one. From then on it goes on evenly, whoever sets the clock of this machine. */
export function followingClock(own: Clock): FollowingClock {
  /** What the other clock showed when the monotonic one began. */
  let origin: number | null = null
  const now = (): number => (origin === null ? own.now() : Math.round(origin + own.monotonic()))
  return {
    ...own,
    own,
    now,
    calendarNow: (account) => (origin === null ? own.calendarNow(account) : now()),
    follow: (at, [before, after]) => {
      const [earliest, latest] = [at - after, at + GRAIN_MS - before]
      origin = origin === null ? (earliest + latest) / 2 : Math.min(Math.max(origin, earliest), latest)
    },
  }
}

function withinTimer(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_TIMER_MS)
}

/** How long work in small steps holds up the loop. */
const LONGEST_TURN_MS = 5

/**
 * For work in many small steps, called between them: resolves at once until they have taken a while together, and then once all
 * others had their turn. What the store answers is there at once, so without it such work holds up the loop until its end. Work that
 * nobody waits for rests after each step.
 */
export function turnTaking(clock: Pick<Clock, 'monotonic' | 'sleep'>, { restMs = 0 } = {}): () => Promise<void> {
  const longest = restMs === 0 ? LONGEST_TURN_MS : 0
  let since = clock.monotonic()
  return async () => {
    if (clock.monotonic() - since < longest) return
    await clock.sleep(restMs)
    since = clock.monotonic()
  }
}

/** Says what a piece of work waits for, so that others have their turn; null: it may begin at once. */
export type LetOthers = () => Promise<void> | null

/** Pieces of work that one turn begins at most of those that wait. */
const MOST_OF_A_TURN = 16

/**
 * For work that comes from many sides, called before each piece of it: none waits until the pieces of one turn of the event loop
 * have taken a while together. Then they go in their order, until those of a turn have taken as long. Thousands of answers may be
 * there at once.
 */
export function sharedTurns(clock: Pick<Clock, 'monotonic'>): LetOthers {
  const waiting: (() => void)[] = []
  /** When the first piece of the present turn began; null: none has. */
  let since: number | null = null
  const isOver = (): boolean => since !== null && clock.monotonic() - since >= LONGEST_TURN_MS
  const begin = (): void => {
    since = clock.monotonic()
    setImmediate(() => {
      since = null
      const next = waiting.shift()
      if (next === undefined) return
      begin()
      next()
    })
    // What a piece does comes before the next of these, and all of them before the loop goes on.
    for (let more = Math.min(waiting.length, MOST_OF_A_TURN); more > 1; more -= 1)
      setImmediate(() => {
        if (!isOver()) waiting.shift()?.()
      })
  }
  return () => {
    if (since === null) begin()
    else if (waiting.length > 0 || isOver()) return new Promise<void>((resolve) => waiting.push(resolve))
    return null
  }
}

/** Begins each loop in a turn of its own: the first steps of all together would hold the event loop where accounts are thousands. */
export function inTurns(loops: readonly (() => Promise<void>)[]): Promise<void>[] {
  return loops.map(async (loop, place) => {
    for (let turns = 0; turns <= place; turns += 1) await nextTurn()
    await loop()
  })
}

/** Takes all steps of some work at once; returns what they make. */
export function allSteps<T>(steps: Iterator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Takes the steps of some work one by one, with `letOthers` called between them; resolves to what they make. */
export async function stepsInTurns<T>(steps: Iterator<undefined, T>, letOthers: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await letOthers()
  }
}

/** Node's own time stands still while the machine sleeps. The system's does not, but it is coarse and costs more to ask. */
function wakefulTime(): () => number {
  const atStart = uptime() * 1_000 - performance.now()
  let [slept, lookAt] = [0, 0]
  return () => {
    const awake = performance.now()
    if (awake >= lookAt) {
      lookAt = awake + SLEEP_LOOK_MS
      const behind = uptime() * 1_000 - awake - atStart
      if (behind >= slept + SHORTEST_SLEEP_MS) slept = behind
    }
    return awake + slept
  }
}
