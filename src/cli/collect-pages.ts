import type { Page, PageQuery } from '../model/page.ts'

const LARGEST_PAGE = 200

/** The first `limit` items of a list, and whether more follow; a page that shows fewer than were asked for ends nothing. */
export async function collectPages<T>(
  ask: (page: PageQuery) => Promise<Page<T>>,
  limit: number,
): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await ask({
      limit: Math.min(limit - items.length, LARGEST_PAGE),
      ...(cursor !== null && { cursor }),
    })
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== null && items.length < limit)
  return { items, more: cursor !== null }
}
