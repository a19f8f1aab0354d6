import PQueue from 'p-queue'

/**
 * Works through items, `places` at a time: no more of them wait at the client than may be under way, so that pages of lists
 * get their turn between them. Ends when all have ended; throws the first error.
 */
export async function inParallel<T>(
  items: readonly T[],
  places: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: places })
  const ended = await Promise.allSettled(items.map(async (item) => queue.add(async () => work(item))))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}
