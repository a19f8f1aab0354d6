import type { Learnt, LearntNews, LearntUnit } from '../model/learnt.ts'
import type { RecordResource } from '../model/resource.ts'
import { noActivity } from './activity.ts'
import type { Mix } from './change-rates.ts'
import { ChangeEstimator, type KnownItem, type KnownPage } from './change-estimator.ts'
import { KnownItems } from './known-items.ts'
import type { ItemFacts, ItemReadReport, PageReadReport } from './read-reports.ts'
import { ActivityProfile } from './activity-profile.ts'
import { keyBy, keyOf, nameOf, type ItemTarget, type PageTarget, type Target } from './target.ts'
import { UnitQueue } from './unit-queue.ts'

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
  /** From when on it is to be read. */
  readonly from: number
  /** How many reads came to nothing. */
  readonly failures: number
}

export type Weights = Readonly<Partial<Record<RecordResource, number>>>

/**
 * What an account may show next: how often each page and item changes, learnt from reads, and so which is worth a request of
 * its own between those that are promised.
 */
export class ReadScheduler {
  readonly #weights: Weights
  readonly #estimator = new ChangeEstimator()
  readonly #units = new UnitQueue()
  readonly #pages = new Map<string, KnownPage>()
  readonly #items = new KnownItems()
  /** Items of which something else said that they changed. */
  readonly #announced = new Map<string, Announced>()
  /** What another process learnt of units that are not known yet. */
  readonly #recalled = new Map<string, LearntUnit>()
  readonly #unsaved = new Set<string>()
  /** Read no more since the last save. */
  readonly #gone: LearntUnit[] = []
  readonly #counts = new Map<RecordResource, number>()
  #profile = new ActivityProfile()

  /** `weights`: how much changes of a resource matter beside others; 1 where left out. */
  constructor(weights: Weights) {
    this.#weights = weights
  }

  get units(): UnitQueue {
    return this.#units
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
    this.#putPage({ target, mix, activity, readAt })
  }

  /** An item that is read, and what is known of it now; several in the order of their reads. */
  itemKnown(facts: ItemFacts, readAt: number): void {
    const key = keyOf(facts.target)
    const activity = this.#recalled.get(key)?.activity ?? noActivity(readAt)
    this.#recalled.delete(key)
    this.#putItem({ activity, readAt, ...this.#items.get(key), ...facts })
  }

  /** What was learnt of a resource misled: it is learnt anew. */
  learnAnew(resource: RecordResource, at: number): void {
    this.#estimator.forget(resource)
    const isOf = ({ target }: KnownPage | KnownItem): boolean => target.resource === resource
    for (const page of [...this.#pages.values()].filter(isOf)) this.#putPage({ ...page, activity: noActivity(at) })
    for (const item of [...this.#items.values()].filter(isOf)) this.#putItem({ ...item, activity: noActivity(at) })
  }

  /** The item is read no more. */
  forget(target: ItemTarget): void {
    this.#drop(keyOf(target))
  }

  /** A complete pass read the list page by page, by `skip`: it has no others. */
  endList(resource: RecordResource, skips: ReadonlySet<number>): void {
    for (const [key, { target }] of this.#pages) {
      if (target.resource === resource && !skips.has(target.skip)) this.#drop(key)
    }
  }

  pageRead({ target, at, mix, changed, longestMs = Number.POSITIVE_INFINITY }: PageReadReport): void {
    const key = keyOf(target)
    const known = this.#pages.get(key)
    if (known === undefined) return this.pageKnown(target, { readAt: at, mix: mix ?? {} })
    const activeMs = this.#activeMs(Math.max(known.readAt, at - longestMs), at)
    const { activity, changes } = this.#estimator.learnPage(known, changed, { activeMs, at })
    this.#profile.learn(changes, known.readAt, at)
    this.#putPage({ target, mix: mix ?? known.mix, activity, readAt: at })
    if (mix !== null || changes > 0) this.#unsaved.add(key)
  }

  itemRead({ target, at, changed, announced, longestMs = Number.POSITIVE_INFINITY }: ItemReadReport): void {
    const key = keyOf(target)
    this.#announced.delete(key)
    const known = this.#items.get(key)
    if (known === undefined) return
    const activeMs = this.#activeMs(Math.max(known.readAt, at - longestMs), at)
    const { activity, changes } = this.#estimator.learnItem(known, { changed, announced }, { activeMs, at })
    this.#profile.learn(changes, known.readAt, at)
    this.#putItem({ ...known, activity, readAt: at })
    if (changed) this.#unsaved.add(key)
  }

  /**
   * Something that was read at two instants, and no time between, says that the item changed: it is to be read next. That shows
   * how lively it is, too. Nothing for one that is not read.
   */
  announce(target: ItemTarget, { since, at }: { readonly since: number; readonly at: number }): void {
    const key = keyOf(target)
    const known = this.#items.get(key)
    if (known === undefined || hasEnded(known, at)) return
    this.#announced.set(key, { target, from: at, failures: 0 })
    const activity = this.#estimator.learnAnnounced(known, { activeMs: this.#activeMs(since, at), at })
    this.#putItem({ ...known, activity })
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
    if (this.#items.has(key) && !this.#announced.has(key)) this.#announced.set(key, announced)
  }

  /** From when on the next of those that were announced may be read; null: none is left. */
  announcedFrom(): number | null {
    let first: number | null = null
    for (const { from } of this.#announced.values()) if (first === null || from < first) first = from
    return first
  }

  /** How many requests it takes to read all that is known of a resource. */
  count(resource: RecordResource): number {
    return this.#counts.get(resource) ?? 0
  }

  /** When the pages of a list were last read, by `skip`. */
  pagesReadAt(resource: RecordResource): readonly number[] {
    const pages = [...this.#pages.values()].filter(({ target }) => target.resource === resource)
    return pages.toSorted((one, other) => one.target.skip - other.target.skip).map(({ readAt }) => readAt)
  }

  /** When the unit was last read, as far as is known here. */
  readAt(target: Target): number | null {
    const key = keyOf(target)
    return this.#pages.get(key)?.readAt ?? this.#items.get(key)?.readAt ?? null
  }

  /** What is worth a request now for its own sake; null: nothing. */
  choose(now: number): Choice | null {
    for (;;) {
      const unit = this.#units.best(now, this.#profile)
      if (unit === null) return null
      const known = this.#pages.get(unit.key) ?? this.#items.get(unit.key)
      if (known !== undefined && !hasEnded(known, now)) {
        const expected = unit.rate * this.#profile.between(unit.readAt, now)
        return { target: known.target, expected, waitedMs: now - unit.readAt }
      }
      this.#drop(unit.key)
    }
  }

  /** When something will be worth a request; null: never, as things stand. */
  nextAt(now: number): number | null {
    return this.#units.nextAt(now)
  }

  /** A read of the unit begins, or came to nothing: it waits as if it had been read at `at`. */
  postpone(target: Target, at: number): void {
    const unit = this.#units.get(keyOf(target))
    if (unit !== undefined) this.#units.put({ ...unit, readAt: at })
  }

  /** What was learnt since the last call. */
  unsaved(): LearntNews {
    const units = [...this.#unsaved].flatMap((key) => {
      const unit = this.#pages.get(key) ?? this.#items.get(key)
      return unit === undefined ? [] : [learntUnit(unit)]
    })
    this.#unsaved.clear()
    const gone = this.#gone.splice(0)
    return { units: [...units, ...this.#estimator.learnt], gone, profile: this.#profile.counts }
  }

  #activeMs(from: number, to: number): number {
    return Math.max(0, this.#profile.between(from, to))
  }

  #putPage(page: KnownPage): void {
    const key = keyOf(page.target)
    if (!this.#pages.has(key)) this.#tally(page.target, 1)
    this.#pages.set(key, page)
    this.#units.put({
      key,
      rate: this.#estimator.ofPage(page),
      weight: this.#weightOf(page.target),
      readAt: page.readAt,
    })
  }

  #putItem(item: KnownItem): void {
    const key = keyOf(item.target)
    if (!this.#items.has(key)) this.#tally(item.target, 1)
    this.#items.put(item)
    this.#units.put({
      key,
      rate: this.#estimator.ofItem(item),
      weight: this.#weightOf(item.target),
      readAt: item.readAt,
    })
  }

  #weightOf({ resource }: Target): number {
    return this.#weights[resource] ?? 1
  }

  #tally({ resource }: Target, more: 1 | -1): void {
    this.#counts.set(resource, this.count(resource) + more)
  }

  #drop(key: string): void {
    const known = this.#pages.get(key) ?? this.#items.get(key)
    if (known !== undefined) {
      this.#tally(known.target, -1)
      this.#gone.push(learntUnit(known))
    }
    this.#pages.delete(key)
    this.#items.delete(key)
    this.#announced.delete(key)
    this.#unsaved.delete(key)
    this.#units.remove(key)
  }
}

function learntUnit(unit: KnownPage | KnownItem): LearntUnit {
  const { target, activity } = unit
  const mix = 'mix' in unit ? unit.mix : {}
  return { resource: target.resource, what: target.kind, name: nameOf(target), mix, activity }
}

function hasEnded(known: KnownPage | KnownItem, now: number): boolean {
  return 'endsAt' in known && known.endsAt !== null && now >= known.endsAt
}
