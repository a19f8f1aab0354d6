import type { Exchange } from '../model/exchange.ts'
import type { Read } from '../model/record-state.ts'

/** The part of a request that decides which of two answers is the younger one. */
export function readOf({ sentAt, answeredAt }: Exchange): Read {
  return { sentAt, answeredAt }
}
