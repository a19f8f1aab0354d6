import type { Exchange } from '../model/exchange.ts'

/** A whole answer, not yet judged. */
export interface Answer {
  readonly kind: 'answer'
  readonly exchange: Exchange
  readonly status: number
  readonly headers: Headers
  /** The body as far as it was read, content decoding undone. */
  readonly chunks: readonly Buffer[]
  /** The body decoded as UTF-8, anew each time it is asked for. */
  readonly text: string
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The value of a header (name in lower case); the first one where there are several; empty where there is none. */
export function header(headers: Headers, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
