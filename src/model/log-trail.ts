/** An event at its place in the log. */
export interface LogMark {
  readonly place: number
  readonly event: { readonly id: string; readonly timestamp: number }
}

interface LogSpan {
  readonly since: 0
  readonly after: number
  readonly limit: number
}

/** Where the log is read. */
export interface ReadLog<M extends LogMark> {
  /** The next events of the log after a place, in their order. */
  readonly logPage: (query: LogSpan) => Promise<{ readonly events: readonly M[] }>
  readonly logEnds: () => Promise<{ readonly lastPlace: number }>
}

export interface LogStep<M extends LogMark> {
  readonly events: readonly M[]
  /** Whether the log is another one by now: `place` is that of the last event that both have, and what follows comes next. */
  readonly wentBack: boolean
}

/** Beyond so many the oldest are dropped. */
const MOST_MARKS = 10_000
/** How far a trail looks back where it begins. */
const FIRST_MARKS = 100

/**
 * How far somebody has read the log. It remembers which events stood at its last places: a database may go back, as a standby does
 * that is promoted without the last commits, and then gives the same places to others. What was read is compared by ids and times:
 * the same change may ring at the same place again, behind others than before.
 */
export class LogTrail<M extends LogMark> {
  readonly #log: ReadLog<M>
  #place: number
  /** What was read last, the oldest first. */
  #marks: LogMark[] = []
  #isBegun = false

  constructor(log: ReadLog<M>, place: number) {
    this.#log = log
    this.#place = place
  }

  /** Events after it come next. */
  get place(): number {
    return this.#place
  }

  /** The next events, at most `limit`. */
  async next(limit: number): Promise<LogStep<M>> {
    if (!this.#isBegun) await this.#begin()
    const last = this.#marks.at(-1)
    if (last === undefined) return this.#step(await this.#after(this.#place, limit))
    const [found, ...events] = await this.#after(last.place - 1, limit + 1)
    if (isSame(last, found)) return this.#step(events)
    await this.#goBack()
    return { events: [], wentBack: true }
  }

  async #after(place: number, limit: number): Promise<readonly M[]> {
    return (await this.#log.logPage({ since: 0, after: place, limit })).events
  }

  async #begin(): Promise<void> {
    const before = await this.#after(Math.max(0, this.#place - FIRST_MARKS), FIRST_MARKS)
    this.#marks = before.filter(({ place }) => place <= this.#place).map(toMark)
    this.#isBegun = true
  }

  #step(events: readonly M[]): LogStep<M> {
    this.#marks.push(...events.map(toMark))
    this.#place = events.at(-1)?.place ?? this.#place
    if (this.#marks.length > 2 * MOST_MARKS) this.#marks = this.#marks.slice(-MOST_MARKS)
    return { events, wentBack: false }
  }

  /** Two logs are the same up to somewhere: halving finds it. */
  async #goBack(): Promise<void> {
    let [same, other] = [0, this.#marks.length]
    while (same < other) {
      const middle = Math.floor((same + other) / 2)
      const mark = this.#marks[middle]
      if (mark !== undefined && isSame(mark, (await this.#after(mark.place - 1, 1))[0])) same = middle + 1
      else other = middle
    }
    const first = this.#marks[0]?.place ?? 1
    this.#marks = this.#marks.slice(0, same)
    this.#place = this.#marks.at(-1)?.place ?? Math.min(first - 1, (await this.#log.logEnds()).lastPlace)
  }
}

function toMark({ event, place }: LogMark): LogMark {
  return { place, event: { id: event.id, timestamp: event.timestamp } }
}

function isSame(mark: LogMark, found: LogMark | undefined): boolean {
  const { id, timestamp } = mark.event
  return found?.place === mark.place && found.event.id === id && found.event.timestamp === timestamp
}
