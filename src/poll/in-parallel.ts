/**
 * Works through items, `places` at a time: no more of them wait at the gate than may be under way, so that pages of lists
 * get their turn between them. Ends when all have ended; throws the first error.
 */
export async function inParallel<T>(
  items: readonly T[],
  places: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: places }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}
