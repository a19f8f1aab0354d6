import type { Activity, LearntUnit } from '../model/learnt.ts'
import type { RecordResource } from '../model/resource.ts'
import {
  ChangeRates,
  changeShown,
  KINDS,
  isKind,
  kindOf,
  liveliness,
  observe,
  type Kind,
  type Mix,
} from './change-rates.ts'
import type { ItemFacts, ItemTarget, PageTarget } from './target.ts'

/** A page of a list, as far as it says how often it changes. */
export interface KnownPage {
  readonly target: PageTarget
  readonly mix: Mix
  readonly activity: Activity
  /** When the last read of the page was sent. */
  readonly readAt: number
}

export interface KnownItem extends ItemFacts {
  readonly activity: Activity
  readonly readAt: number
}

export interface Taught {
  readonly activity: Activity
  /** How many changes the read stands for. */
  readonly changes: number
}

/** How often pages and items of an account change, by what they are, how others of their kind do, and how they did. */
export class ChangeEstimator {
  readonly #rates = new Map<RecordResource, ChangeRates>()

  recall({ activity, name, resource }: LearntUnit): void {
    if (isKind(name)) this.#ratesOf(resource).recall(name, activity)
  }

  get learnt(): readonly LearntUnit[] {
    return [...this.#rates].flatMap(([resource, { learnt }]) =>
      [...learnt].map(([name, activity]) => ({ resource, what: 'kind' as const, name, mix: {}, activity })),
    )
  }

  /** All that was learnt of how the kinds of a resource change. */
  forget(resource: RecordResource): void {
    this.#rates.delete(resource)
  }

  /** Changes that are expected in a millisecond of activity and that only a read of its own would show. */
  of(unit: KnownPage | KnownItem): number {
    return 'mix' in unit ? this.#ofPage(unit) : this.#ofItem(unit)
  }

  /** Changes of a page in a millisecond of activity: the sum of its rows', as lively as the page proved. */
  #ofPage({ activity, mix, target }: KnownPage): number {
    const rates = this.#ratesOf(target.resource)
    const known = rates.ofMix(mix)
    const start = rates.startOfMix(mix)
    return start === 0 ? 0 : known * liveliness(activity, known / start)
  }

  /** Changes of an item that nothing announces; those that are announced show how lively it is, too. */
  #ofItem({ activity, phase, readAt, target }: KnownItem): number {
    const kind = kindOf(phase, readAt)
    const rates = this.#ratesOf(target.resource)
    const start = rates.startOf(kind) + this.#announcedRate(target, kind)
    const known = rates.of(kind) + (target.resource === 'tracking' ? this.#ratesOf('shipment').of(kind) : 0)
    return rates.of(kind) * liveliness(activity, known / start)
  }

  /** A page was read after `activeMs`: so many rows of each kind had changed or were new. */
  learnPage(
    page: KnownPage,
    changed: Mix,
    { activeMs, at }: { readonly activeMs: number; readonly at: number },
  ): Taught {
    const rates = this.#ratesOf(page.target.resource)
    const sum = { expected: 0, changes: 0 }
    // Each page of a pass is learnt from: no list is made for it.
    for (const kind of KINDS) {
      if (page.mix[kind] === undefined && changed[kind] === undefined) continue
      const [amount, showing] = [page.mix[kind] ?? 0, changed[kind] ?? 0]
      const each = rates.startOf(kind) * activeMs
      const shown = changeShown(each)
      const expected = Math.max(0, amount - showing) * each + showing * shown.expected
      const changes = showing * shown.changes
      rates.learn(kind, { expected, changes, until: at })
      sum.expected += expected
      sum.changes += changes
    }
    return { activity: observe(page.activity, { ...sum, until: at }), changes: sum.changes }
  }

  /**
   * An item was read after `activeMs`. What an announced read shows may be what was announced: it says nothing of changes that
   * are not.
   */
  learnItem(
    item: KnownItem,
    { changed, announced }: { readonly changed: boolean; readonly announced: boolean },
    { activeMs, at }: { readonly activeMs: number; readonly at: number },
  ): Taught {
    const rates = this.#ratesOf(item.target.resource)
    const kind = kindOf(item.phase, at)
    const byRow = this.#announcedRate(item.target, kind) * activeMs
    if (announced) {
      const { expected } = changeShown(byRow)
      return { activity: observe(item.activity, { expected, until: at, changes: 0 }), changes: 0 }
    }
    const likely = rates.startOf(kind) * activeMs
    const own = changed ? changeShown(likely, this.#ofItem(item) * activeMs) : { expected: likely, changes: 0 }
    rates.learn(kind, { ...own, until: at })
    const expected = own.expected + byRow
    return { activity: observe(item.activity, { expected, until: at, changes: own.changes }), changes: own.changes }
  }

  /** An item was announced by a read `activeMs` after the one before. */
  learnAnnounced(item: KnownItem, { activeMs, at }: { readonly activeMs: number; readonly at: number }): Activity {
    const each = this.#announcedRate(item.target, kindOf(item.phase, at)) * activeMs
    return observe(item.activity, { expected: 0, until: at, changes: changeShown(each).changes })
  }

  /** Changes of an item of a kind that are announced, by the figures of the field: tracking's, by the row of its shipment. */
  #announcedRate({ resource }: ItemTarget, kind: Kind): number {
    return resource === 'tracking' ? this.#ratesOf('shipment').startOf(kind) : 0
  }

  #ratesOf(resource: RecordResource): ChangeRates {
    const rates = this.#rates.get(resource) ?? new ChangeRates(resource)
    this.#rates.set(resource, rates)
    return rates
  }
}
