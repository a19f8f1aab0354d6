import type { ActivityCounts } from '../model/learnt.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const DAYS = 7
const WEEK = HOURS * DAYS
const HALF_LIFE_MS = 28 * 86_400_000
/** How many changes the assumption that all hours are alike weighs, for each hour of the day and day of the week. */
const PRIOR = 4
/** What was seen within longer than this says nothing of an hour. */
const LONGEST_WINDOW_MS = 6 * HOUR_MS

/**
 * When in the week an account's data changes: business hours, learnt. It turns time into activity time, which runs fast while
 * people work and slowly while they sleep, one second a second on average over a week.
 */
export class ActivityProfile {
  #counts: ActivityCounts
  /** The sums of the week; null: they are to be summed up anew. */
  #sums: WeekSums | null = null

  constructor(counts: ActivityCounts = { hours: [], days: [], at: 0 }) {
    this.#counts = { ...counts, hours: filled(counts.hours, HOURS), days: filled(counts.days, DAYS) }
  }

  get counts(): ActivityCounts {
    return this.#counts
  }

  /** Milliseconds of activity from one instant to a later one. */
  between(from: number, to: number): number {
    return this.#activityAt(to) - this.#activityAt(from)
  }

  /** How fast activity runs at an instant; 1 on average. */
  paceAt(instant: number): number {
    const hour = hourOf(instant)
    return this.#through(hour + 1) - this.#through(hour)
  }

  /**
   * How long changes of one a millisecond of activity, from one instant on, would have waited by a later one, all together
   * (milliseconds squared): half the square of the time between where all hours are alike.
   */
  waited(from: number, to: number): number {
    const span = to - from
    if (span <= 0) return 0
    if (span > WEEK * HOUR_MS) return (span * span) / 2
    let waited = 0
    for (let start = from; start < to;) {
      const end = Math.min(to, (Math.floor(start / HOUR_MS) + 1) * HOUR_MS)
      waited += this.paceAt(start) * (end - start) * (to - (start + end) / 2)
      start = end
    }
    return waited
  }

  /** Changes were seen that had happened between two instants. */
  learn(changes: number, from: number, to: number): void {
    if (to <= from || to - from > LONGEST_WINDOW_MS || changes <= 0) return
    // A clock that leaps takes no more than half.
    const remaining = 2 ** -Math.min(Math.max(0, to - this.#counts.at) / HALF_LIFE_MS, 1)
    const hours = this.#counts.hours.map((count) => count * remaining)
    const days = this.#counts.days.map((count) => count * remaining)
    for (let start = from; start < to;) {
      const end = Math.min(to, (Math.floor(start / HOUR_MS) + 1) * HOUR_MS)
      const part = (changes * (end - start)) / (to - from)
      const hour = hourOf(start)
      hours[hour % HOURS] = (hours[hour % HOURS] ?? 0) + part
      const day = Math.floor(hour / HOURS)
      days[day] = (days[day] ?? 0) + part
      start = end
    }
    this.#counts = { hours, days, at: Math.max(this.#counts.at, to) }
    this.#sums = null
  }

  #activityAt(instant: number): number {
    const hours = instant / HOUR_MS
    const week = Math.floor(hours / WEEK)
    const inWeek = hours - week * WEEK
    const hour = Math.floor(inWeek)
    const before = this.#through(hour)
    const within = (inWeek - hour) * (this.#through(hour + 1) - before)
    return (week * this.#through(WEEK) + before + within) * HOUR_MS
  }

  /** Activity time, in hours, from the beginning of the week to one of its hours, or to its end. */
  #through(hour: number): number {
    this.#sums ??= weekSums(this.#counts)
    const { days, hours, scale } = this.#sums
    const day = Math.min(Math.floor(hour / HOURS), DAYS - 1)
    const before = days[day] ?? 0
    const pace = (days[day + 1] ?? 0) - before
    return (before * (hours[HOURS] ?? 0) + pace * (hours[hour - day * HOURS] ?? 0)) * scale
  }
}

function hourOf(instant: number): number {
  const hour = Math.floor(instant / HOUR_MS) % WEEK
  return hour < 0 ? hour + WEEK : hour
}

function filled(counts: readonly number[], length: number): readonly number[] {
  return Array.from({ length }, (_, index) => counts[index] ?? 0)
}

/** The pace of an hour is that of its day times that of its hour of the day, so that two short sums say all of a week. */
interface WeekSums {
  /** Sums of the paces of the days: of those before each day, and of all. */
  readonly days: readonly number[]
  /** Sums of the paces of the hours of a day: of those before each hour, and of all. */
  readonly hours: readonly number[]
  /** What makes a week last a week. */
  readonly scale: number
}

function weekSums(counts: ActivityCounts): WeekSums {
  const days = sumsOfWeights(counts.days)
  const hours = sumsOfWeights(counts.hours)
  return { days, hours, scale: WEEK / ((days[DAYS] ?? 0) * (hours[HOURS] ?? 0)) }
}

/** Each count against the average, drawn towards it where little was seen, summed up. */
function sumsOfWeights(counts: readonly number[]): readonly number[] {
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const sums = [0]
  let sum = 0
  for (const count of counts) sums.push((sum += (PRIOR + count) / (PRIOR + average)))
  return sums
}
