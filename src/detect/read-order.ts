import { arrivalOf, type Read } from '../model/record-state.ts'

/**
 * A read applies only if its request was sent after the answer last applied had arrived; of an answer that was made earlier,
 * the instants of its making count. An applied read that began in this one's future means that the clock was set back, and
 * says nothing about order.
 */
export function isFresh(read: Read, lastApplied: Read | undefined): boolean {
  if (lastApplied === undefined) return true
  return read.sentAt >= lastApplied.answeredAt || lastApplied.sentAt > arrivalOf(read)
}
