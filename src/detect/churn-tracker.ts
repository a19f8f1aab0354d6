import type { EventDraft } from '../model/event.ts'
import { generalised } from '../model/pointer.ts'

/** A path churns when it changed in so many of the last reads of records, over so many rounds. */
const LEAST_SHARE = 0.8
const LEAST_READS = 20
const LEAST_ROUNDS = 3

/** What is remembered of a platform that invents a path for every read. */
const MOST_ROUNDS = LEAST_READS
const MOST_PATHS = 500
const LONGEST_PATH = 500

/** Records read once each, and what changed in them. */
export interface ReadRound {
  /** Increases with every time that the records are read again. */
  readonly round: number
  /** How many records were compared with what was known of them, changed or not. */
  readonly reads: number
  readonly events: readonly EventDraft[]
}

export interface Churn {
  /** JSON Pointer with `*` for elements. */
  readonly path: string
  readonly changed: number
  readonly reads: number
}

interface Round {
  readonly round: number
  reads: number
  readonly changed: Map<string, number>
}

/** Finds the paths of a resource that change on most reads: time stamps of the answer, presigned links, counters. */
export class ChurnTracker {
  readonly #rounds: Round[] = []
  readonly #reported: Set<string>

  /** `reported`: paths that were reported before. */
  constructor(reported: readonly string[] = []) {
    this.#reported = new Set(reported)
  }

  /** The paths that churn from this read on; each is emitted once. */
  note({ round, reads, events }: ReadRound): readonly Churn[] {
    const current = this.#roundOf(round)
    current.reads += reads
    const paths = changedPaths(events)
    for (const [path, records] of paths) {
      if (current.changed.size >= MOST_PATHS && !current.changed.has(path)) continue
      current.changed.set(path, (current.changed.get(path) ?? 0) + records)
    }
    const churning = [...paths.keys()].map((path) => this.#churnOf(path)).filter((churn) => churn !== null)
    for (const { path } of churning) this.#reported.add(path)
    return churning
  }

  /** Whether anything but paths that churn changed. */
  isNews(event: EventDraft): boolean {
    if (this.#reported.size === 0) return true
    const paths = [...changedPaths([event]).keys()]
    return paths.length === 0 || paths.some((path) => !this.#reported.has(path))
  }

  #roundOf(round: number): Round {
    const last = this.#rounds.at(-1)
    if (last?.round === round) return last
    const next = { round, reads: 0, changed: new Map<string, number>() }
    this.#rounds.push(next)
    if (this.#rounds.length > MOST_ROUNDS) this.#rounds.shift()
    return next
  }

  #churnOf(path: string): Churn | null {
    if (this.#reported.has(path)) return null
    let [rounds, reads, changed] = [0, 0, 0]
    for (let at = this.#rounds.length - 1; at >= 0; at -= 1) {
      const round = this.#rounds[at]
      if (round === undefined || (rounds >= LEAST_ROUNDS && reads >= LEAST_READS)) break
      rounds += 1
      reads += round.reads
      changed += round.changed.get(path) ?? 0
    }
    const isEnough = rounds >= LEAST_ROUNDS && reads >= LEAST_READS
    return isEnough && changed >= LEAST_SHARE * reads ? { path, changed, reads } : null
  }
}

/** The number of records in which each path changed its value. What comes or goes is news, and positions were asked for. */
function changedPaths(events: readonly EventDraft[]): ReadonlyMap<string, number> {
  const bySubject = new Map<string, Set<string>>()
  const paths = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'tracking.position_changed') continue
    const known = bySubject.get(event.subject.id) ?? new Set<string>()
    bySubject.set(event.subject.id, known)
    for (const path of valuePaths(event)) {
      if (!known.has(path)) paths.set(path, (paths.get(path) ?? 0) + 1)
      known.add(path)
    }
  }
  return paths
}

function valuePaths({ changes }: EventDraft): readonly string[] {
  const paths: string[] = []
  for (const { path, from, to } of changes ?? []) {
    if (from === null || to === null || path.length > LONGEST_PATH) continue
    paths.push(DIGIT.test(path) ? generalised(path) : path)
  }
  return paths
}

const DIGIT = /\d/
