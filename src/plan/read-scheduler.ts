import type { Learnt, LearntNews, LearntUnit } from '../model/learnt.ts'
import type { RecordResource } from '../model/resource.ts'
import { noActivity, type Mix } from './change-rates.ts'
import { ChangeEstimator } from './change-estimator.ts'
import { KnownUnits, type KnownUnit, type Weights } from './known-units.ts'
import {
  ALWAYS_TAUGHT_MS,
  keyBy,
  keyOf,
  nameOf,
  type ItemFacts,
  type ItemReadReport,
  type ItemTarget,
  type PageReadReport,
  type PageTarget,
  type Target,
} from './target.ts'
import { ActivityProfile } from './activity-profile.ts'
import type { UnitQueue } from './unit-queue.ts'

/** What is worth a request. */
export interface Choice {
  readonly target: Target
  /** Changes expected since its last read. */
  readonly expected: number
  /** Milliseconds since its last read. */
  readonly waitedMs: number
}

/** An item of which something else said that it changed. */
export interface Announced {
  readonly target: ItemTarget
  /** From when on the target is to be read. */
  readonly from: number
  /** How many reads came to nothing. */
  readonly failures: number
}

/**
 * Which page or item is worth a request beside the refresh targets. It learns from reads how often each of them changes
 * (`change-rates.ts`), in activity time (`activity-profile.ts`), and `unit-queue.ts` chooses. `forecast.ts` computes what the
 * choices settle at, without running them; `replay.ts` runs them over the changes of the past.
 */
export class ReadScheduler {
  readonly #estimator = new ChangeEstimator()
  readonly #units: KnownUnits
  /** Items of which something else said that they changed. */
  readonly #announced = new Map<string, Announced>()
  /** What an earlier process learnt of units that are not known yet. */
  readonly #recalled = new Map<string, LearntUnit>()
  readonly #unsaved = new Set<string>()
  /** Units that are no longer read, since the last save. */
  readonly #gone: LearntUnit[] = []
  #profile = new ActivityProfile()

  /** `weights`: how much changes of a resource matter beside others; 1 where left out. */
  constructor(weights: Weights) {
    this.#units = new KnownUnits(weights, this.#estimator)
  }

  get units(): UnitQueue {
    return this.#units.queue
  }

  get profile(): ActivityProfile {
    return this.#profile
  }

  /** Goes on with what another process learnt; to be called before anything is known. */
  recall({ units, profile }: Learnt): void {
    if (profile !== null) this.#profile = new ActivityProfile(profile)
    for (const unit of units) {
      if (unit.what === 'kind') this.#estimator.recall(unit)
      else this.#recalled.set(keyBy(unit.what, unit.resource, unit.name), unit)
    }
  }

  /** All that is read is known by now: what else was recalled is read no more. */
  endRecall(): void {
    this.#gone.push(...this.#recalled.values())
    this.#recalled.clear()
  }

  /** What a page held when it was last read, as far as another process learnt it. */
  recalledMix(target: PageTarget): Mix | null {
    return this.#recalled.get(keyOf(target))?.mix ?? null
  }

  /** A page that was read before; several in the order of their reads. */
  pageKnown(target: PageTarget, { readAt, mix }: { readonly readAt: number; readonly mix: Mix }): void {
    const key = keyOf(target)
    const activity = this.#recalled.get(key)?.activity ?? noActivity(readAt)
    this.#recalled.delete(key)
    this.#unsaved.add(key)
    this.#units.put({ target, mix, activity, readAt })
  }

  /** An item that is read, and what is known of it now; several in the order of their reads. */
  itemKnown(facts: ItemFacts, readAt: number): void {
    const key = keyOf(facts.target)
    const activity = this.#recalled.get(key)?.activity ?? noActivity(readAt)
    this.#recalled.delete(key)
    this.#units.put({ activity, readAt, ...this.#units.item(key), ...facts })
  }

  /** What was learnt of a resource was wrong: learning begins again. */
  learnAnew(resource: RecordResource, at: number): void {
    this.#estimator.forget(resource)
    for (const unit of this.#units.of(resource)) this.#units.put({ ...unit, activity: noActivity(at) })
  }

  /** The item is read no more. */
  forget(target: ItemTarget): void {
    this.#drop(keyOf(target))
  }

  /** A complete pass read the list page by page, by `skip`: it has no others. */
  endList(resource: RecordResource, skips: ReadonlySet<number>): void {
    for (const { target } of this.#units.pagesOf(resource)) if (!skips.has(target.skip)) this.#drop(keyOf(target))
  }

  pageRead({ target, at, mix, changed, longestMs }: PageReadReport): void {
    const key = keyOf(target)
    const known = this.#units.page(key)
    if (known === undefined) return this.pageKnown(target, { readAt: at, mix: mix ?? {} })
    const activeMs = this.#activeMs(taughtFrom(known.readAt, at, longestMs), at)
    const { activity, changes } = this.#estimator.learnPage(known, changed, { activeMs, at })
    this.#profile.learn(changes, known.readAt, at)
    this.#units.put({ target, mix: mix ?? known.mix, activity, readAt: at })
    if (mix !== null || changes > 0) this.#unsaved.add(key)
  }

  itemRead({ target, at, changed, announced, longestMs }: ItemReadReport): void {
    const key = keyOf(target)
    this.#announced.delete(key)
    const known = this.#units.item(key)
    if (known === undefined) return
    const activeMs = this.#activeMs(taughtFrom(known.readAt, at, longestMs), at)
    const { activity, changes } = this.#estimator.learnItem(known, { changed, announced }, { activeMs, at })
    this.#profile.learn(changes, known.readAt, at)
    this.#units.put({ ...known, activity, readAt: at })
    if (changed) this.#unsaved.add(key)
  }

  /**
   * Something that was read at two instants, and no time between, says that the item changed: it is to be read next. That shows
   * how lively it is, too. Nothing for one that is not read.
   */
  announce(target: ItemTarget, { since, at }: { readonly since: number; readonly at: number }): void {
    const key = keyOf(target)
    const known = this.#units.item(key)
    if (known === undefined || hasEnded(known, at)) return
    this.#announced.set(key, { target, from: at, failures: 0 })
    const activity = this.#estimator.learnAnnounced(known, { activeMs: this.#activeMs(since, at), at })
    this.#units.put({ ...known, activity })
    this.#unsaved.add(key)
  }

  /** The item that was announced first of those that may be read now, as it is read now; null: there is none. */
  takeAnnounced(now: number): Announced | null {
    for (const [key, announced] of this.#announced) {
      if (announced.from > now) continue
      this.#announced.delete(key)
      return announced
    }
    return null
  }

  /** The read of an item that was announced came to nothing: it is to be read again, unless it was announced anew or is read no more. */
  announceAgain(announced: Announced): void {
    const key = keyOf(announced.target)
    if (this.#units.item(key) !== undefined && !this.#announced.has(key)) this.#announced.set(key, announced)
  }

  /** From when on the next of those that were announced may be read; null: none is left. */
  announcedFrom(): number | null {
    let first: number | null = null
    for (const { from } of this.#announced.values()) if (first === null || from < first) first = from
    return first
  }

  /** How many requests it takes to read all that is known of a resource. */
  count(resource: RecordResource): number {
    return this.#units.count(resource)
  }

  /** When the pages of a list were last read, by `skip`. */
  pagesReadAt(resource: RecordResource): readonly number[] {
    return this.#units.pagesOf(resource).map(({ readAt }) => readAt)
  }

  /** When the unit of a resource was read that waits longest, of those that are still read; null: there is none. */
  oldestReadAt(resource: RecordResource, now: number): number | null {
    return this.#units.oldestReadAt(resource, now)
  }

  /** When the unit was last read, as far as is known here. */
  readAt(target: Target): number | null {
    return this.#units.get(keyOf(target))?.readAt ?? null
  }

  /** The unit that is worth a request now; null: none. */
  choose(now: number): Choice | null {
    for (;;) {
      const unit = this.units.best(now, this.#profile)
      if (unit === null) return null
      const known = this.#units.get(unit.key)
      if (known !== undefined && !hasEnded(known, now)) {
        const expected = unit.rate * this.#profile.between(unit.readAt, now)
        return { target: known.target, expected, waitedMs: now - unit.readAt }
      }
      this.#drop(unit.key)
    }
  }

  /** When something will be worth a request; null: never, as things stand. */
  nextAt(now: number): number | null {
    return this.units.nextAt(now)
  }

  /** A read of the unit begins, or came to nothing: it waits as if it had been read at `at`. */
  postpone(target: Target, at: number): void {
    const unit = this.units.get(keyOf(target))
    if (unit !== undefined) this.units.put({ ...unit, readAt: at })
  }

  /** What was learnt since the last call. */
  unsaved(): LearntNews {
    const units = [...this.#unsaved].flatMap((key) => {
      const unit = this.#units.get(key)
      return unit === undefined ? [] : [learntUnit(unit)]
    })
    this.#unsaved.clear()
    const gone = this.#gone.splice(0)
    return { units: [...units, ...this.#estimator.learnt], gone, profile: this.#profile.counts }
  }

  #activeMs(from: number, to: number): number {
    return Math.max(0, this.#profile.between(from, to))
  }

  #drop(key: string): void {
    const known = this.#units.remove(key)
    if (known !== undefined) this.#gone.push(learntUnit(known))
    this.#announced.delete(key)
    this.#unsaved.delete(key)
  }
}

function learntUnit(unit: KnownUnit): LearntUnit {
  const { target, activity } = unit
  const mix = 'mix' in unit ? unit.mix : {}
  return { resource: target.resource, what: target.kind, name: nameOf(target), mix, activity }
}

function hasEnded(known: KnownUnit, now: number): boolean {
  return 'endsAt' in known && known.endsAt !== null && now >= known.endsAt
}

/** From when on a read teaches that comes at `at`. */
function taughtFrom(readAt: number, at: number, longestMs: ItemReadReport['longestMs']): number {
  if (longestMs === undefined || at - readAt <= ALWAYS_TAUGHT_MS) return readAt
  return Math.max(readAt, at - longestMs())
}
