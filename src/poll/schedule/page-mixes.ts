import { kindOf, type Kind, type Mix } from '../../plan/change-rates.ts'
import type { PhaseSpan } from '../../model/phase.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { PageTarget } from '../../plan/target.ts'

/** What time alone moves on a page is counted anew after this, whatever its reads show. */
const KEPT_MS = 60 * 60_000

/** A row that was known before a commit and differs after it; null: it is of no kind that has phases. */
export interface MovedRow {
  readonly before: PhaseSpan | null
  readonly after: PhaseSpan | null
}

/** A page whose rows were committed. */
export interface MixedPage {
  readonly target: PageTarget
  /** The content hash of the ids of its rows. */
  readonly contentHash: string
  readonly at: number
  /** The rows that the commit revised; null: one of them was unknown, or nobody knows what the page held. */
  readonly moved: readonly MovedRow[] | null
}

/** `at`: when all rows were counted. Those that moved since count as of then, so that what is taken away is what was added. */
interface Counted extends Pick<MixedPage, 'contentHash' | 'at'> {
  readonly mix: Mix
}

/** What pages held when their rows were last counted: to look up the kinds of a hundred rows takes longer than all else that a page teaches. */
export class PageMixes {
  readonly #lists = new Map<RecordResource, Map<number, Counted>>()

  /** What is on the page, by `count` where it is not known; null: it is as it was. */
  async of({ at, contentHash, moved, target }: MixedPage, count: () => Promise<Mix>): Promise<Mix | null> {
    const { resource, skip } = target
    const pages = this.#lists.get(resource) ?? new Map<number, Counted>()
    this.#lists.set(resource, pages)
    const known = pages.get(skip)
    if (moved !== null && known?.contentHash === contentHash && Math.abs(at - known.at) < KEPT_MS) {
      const mix = mixAfter(known, moved)
      if (mix === known.mix) return null
      if (mix !== null) {
        pages.set(skip, { ...known, mix })
        return mix
      }
    }
    const mix = await count()
    pages.set(skip, { contentHash, at, mix })
    return mix
  }

  /** The list has these pages, by `skip`, and no others. */
  endList(resource: RecordResource, skips: ReadonlySet<number>): void {
    const pages = this.#lists.get(resource)
    for (const skip of pages?.keys() ?? []) if (!skips.has(skip)) pages?.delete(skip)
  }
}

/** The mix once rows have moved from kind to kind; null where a row was not counted as what it was: something else changed it. */
function mixAfter({ at, mix }: Counted, moved: readonly MovedRow[]): Mix | null {
  let after: Partial<Record<Kind, number>> | null = null
  for (const row of moved) {
    const [from, to] = [kindOf(row.before, at), kindOf(row.after, at)]
    if (from === to) continue
    after ??= { ...mix }
    const left = (after[from] ?? 0) - 1
    if (left < 0) return null
    if (left === 0) delete after[from]
    else after[from] = left
    after[to] = (after[to] ?? 0) + 1
  }
  return after ?? mix
}
