import type { Exchange } from '../model/exchange.ts'

/** A whole answer, not yet judged. */
export interface Answer {
  readonly kind: 'answer'
  readonly exchange: Exchange
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The value of a header (name in lower case); the first one where there are several; empty where there is none. */
export function header(headers: Headers, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
