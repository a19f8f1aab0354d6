import { KINDS, mixOf, type Kind, type Mix } from './change-rates.ts'
import type { Weights } from './known-units.ts'
import { ReadScheduler } from './read-scheduler.ts'
import { stretchOf } from './refresh-targets.ts'
import { keyOf, type ItemFacts, type PageTarget, type Target } from './target.ts'

/** A change that was seen once, replayed at one instant of the time in which it happened. */
export interface PastChange {
  /** The target that shows the change. */
  readonly target: Target
  /** The id of the record. */
  readonly id: string
  readonly at: number
}

export type ReplayUnit =
  | { readonly target: PageTarget; readonly everyMs: number; readonly mix: Mix }
  | { readonly target: ItemFacts['target']; readonly everyMs: number; readonly phase: ItemFacts['phase'] }

export interface ReplayOptions {
  readonly units: readonly ReplayUnit[]
  /** The changes, in any order. */
  readonly changes: readonly PastChange[]
  readonly weights: Weights
  /** Requests in a millisecond. */
  readonly allowed: number
  readonly from: number
  readonly to: number
}

export interface ReplayedChange {
  readonly change: PastChange
  /** When the change was seen; null: not by the end. */
  readonly seenAt: number | null
}

interface Due {
  readonly unit: ReplayUnit
  readonly readAt: number
}

/**
 * When each change would have been seen with this many requests, sent evenly. A scheduler that starts with nothing learnt
 * chooses the reads and learns from what they would have shown. Refresh targets come first, as far as the budget keeps them.
 */
export function replay(options: ReplayOptions): readonly ReplayedChange[] {
  return new Replay(options).run()
}

class Replay {
  readonly #options: ReplayOptions
  readonly #scheduler: ReadScheduler
  readonly #stretch: number
  readonly #units = new Map<string, ReplayUnit>()
  /** By refresh target, each in the order of last reads. */
  readonly #due = new Map<number, Map<string, Due>>()
  /** What happens to each unit and was not seen yet, latest first. */
  readonly #ahead = new Map<string, PastChange[]>()
  readonly #seen: ReplayedChange[] = []

  constructor(options: ReplayOptions) {
    const { allowed, changes, from, units, weights } = options
    this.#options = options
    this.#scheduler = new ReadScheduler(weights)
    this.#stretch = stretchOf(
      units.map(({ everyMs }) => ({ everyMs, requests: 1 })),
      allowed,
    )
    const starts = units.map((unit, nth) => {
      return { unit, readAt: from - (unit.everyMs * this.#stretch * nth) / units.length }
    })
    for (const { unit, readAt } of starts.toSorted((one, other) => one.readAt - other.readAt)) this.#start(unit, readAt)
    for (const change of changes.toSorted((one, other) => other.at - one.at)) {
      const key = keyOf(change.target)
      if (!this.#units.has(key) || change.at < from) continue
      const ahead = this.#ahead.get(key) ?? []
      ahead.push(change)
      this.#ahead.set(key, ahead)
    }
  }

  run(): readonly ReplayedChange[] {
    const { allowed, from, to } = this.#options
    for (let nth = 1; from + nth / allowed <= to; nth += 1) {
      const now = from + nth / allowed
      const overdue = this.#overdue(now)
      const announced = overdue === null ? (this.#scheduler.takeAnnounced(now)?.target ?? null) : null
      const target = overdue ?? announced ?? this.#scheduler.choose(now)?.target ?? null
      const unit = target === null ? undefined : this.#units.get(keyOf(target))
      if (unit !== undefined) this.#read(unit, { now, announced: announced !== null })
    }
    const unseen = [...this.#ahead.values()].flat().map((change) => ({ change, seenAt: null }))
    return [...this.#seen, ...unseen]
  }

  #start(unit: ReplayUnit, readAt: number): void {
    const { target } = unit
    this.#units.set(keyOf(target), unit)
    this.#queue(unit, readAt)
    if ('mix' in unit) this.#scheduler.pageKnown(unit.target, { readAt, mix: unit.mix })
    else this.#scheduler.itemKnown({ target: unit.target, phase: unit.phase, endsAt: null }, readAt)
  }

  #queue(unit: ReplayUnit, readAt: number): void {
    const queue = this.#due.get(unit.everyMs) ?? new Map<string, Due>()
    const key = keyOf(unit.target)
    queue.delete(key)
    queue.set(key, { unit, readAt })
    this.#due.set(unit.everyMs, queue)
  }

  /** The unit that is furthest beyond its refresh target, as far as targets are kept. */
  #overdue(now: number): Target | null {
    let most = 1
    let overdue: Target | null = null
    for (const [everyMs, queue] of this.#due) {
      const { value } = queue.values().next()
      const age = value === undefined ? 0 : (now - value.readAt) / (everyMs * this.#stretch)
      if (value === undefined || age < most) continue
      most = age
      overdue = value.unit.target
    }
    return overdue
  }

  #read(unit: ReplayUnit, { announced, now }: { readonly announced: boolean; readonly now: number }): void {
    const { target } = unit
    const since = this.#scheduler.readAt(target) ?? now
    const shown = this.#show(keyOf(target), now)
    this.#queue(unit, now)
    if ('mix' in unit) {
      const changed = mixOf(shown.map(() => mostOf(unit.mix)))
      this.#scheduler.pageRead({ target: unit.target, at: now, mix: shown.length === 0 ? null : unit.mix, changed })
      if (target.resource === 'shipment') this.#announce(shown, { since, at: now })
    } else this.#scheduler.itemRead({ target: unit.target, at: now, changed: shown.length > 0, announced })
  }

  #show(key: string, now: number): readonly PastChange[] {
    const ahead = this.#ahead.get(key) ?? []
    const shown: PastChange[] = []
    for (let next = ahead.at(-1); next !== undefined && next.at <= now; next = ahead.at(-1)) {
      ahead.pop()
      shown.push(next)
      this.#seen.push({ change: next, seenAt: now })
    }
    return shown
  }

  #announce(rows: readonly PastChange[], reads: { readonly since: number; readonly at: number }): void {
    for (const { id } of rows) this.#scheduler.announce({ kind: 'item', resource: 'tracking', id }, reads)
  }
}

/** Past rows are known by their ids only: they count as what their page holds most of. */
function mostOf(mix: Mix): Kind {
  let most: Kind = 'record'
  for (const kind of KINDS) if ((mix[kind] ?? 0) > (mix[most] ?? 0)) most = kind
  return most
}
