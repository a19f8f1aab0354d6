/** A part of a list, in its order. */
export interface Page<T> {
  /** At most as many as were asked for; fewer, or none, do not mean that nothing follows. */
  readonly items: readonly T[]
  /** Where the next part begins, opaque; null: nothing follows. */
  readonly next: string | null
}

export interface PageQuery {
  readonly limit: number
  /** `next` of the part before; left out: from the first. */
  readonly cursor?: string
}

/** What is asked for at once where all of a list is gone through. */
const AT_ONCE = 200

/** The first items of a list, all of them where `most` is left out; read page by page as they are taken. */
export async function* itemsOf<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<T, void> {
  let left = most
  let cursor: string | null | undefined
  while (cursor !== null && left > 0) {
    const page = await read({ limit: Math.min(left, AT_ONCE), ...(cursor !== undefined && { cursor }) })
    yield* page.items
    left -= page.items.length
    cursor = page.next
  }
}

/** All items at once: for lists that are known to be short, or of which few are asked for. */
export async function collectItems<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of itemsOf(read, most)) items.push(item)
  return items
}
