import type { Mix } from '../../plan/change-rates.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { PageTarget } from '../../plan/target.ts'

/** What time alone moves on a page is counted anew after this, whatever its reads show. */
const KEPT_MS = 60 * 60_000

/** A page whose rows were committed. */
export interface MixedPage {
  readonly target: PageTarget
  /** The content hash of the ids of its rows. */
  readonly contentHash: string
  readonly at: number
  /** Whether a row of it is of another kind than before the commit. */
  readonly isMoved: boolean
}

type Counted = Pick<MixedPage, 'contentHash' | 'at'>

/** Which pages hold what they held when their rows were last counted: to look up the kinds of a hundred rows takes half a millisecond. */
export class PageMixes {
  readonly #lists = new Map<RecordResource, Map<number, Counted>>()

  /** What `count` finds on the page; null: it is as it was. */
  async of({ at, contentHash, isMoved, target }: MixedPage, count: () => Promise<Mix>): Promise<Mix | null> {
    const { resource, skip } = target
    const pages = this.#lists.get(resource) ?? new Map<number, Counted>()
    const known = pages.get(skip)
    if (!isMoved && known?.contentHash === contentHash && Math.abs(at - known.at) < KEPT_MS) return null
    this.#lists.set(resource, pages.set(skip, { contentHash, at }))
    return count()
  }

  /** The list has these pages, by `skip`, and no others. */
  endList(resource: RecordResource, skips: ReadonlySet<number>): void {
    const pages = this.#lists.get(resource)
    for (const skip of pages?.keys() ?? []) if (!skips.has(skip)) pages?.delete(skip)
  }
}
