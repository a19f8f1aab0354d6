export const PAYLOADS = ['full', 'thin'] as const
export const FORMATS = ['standard', 'cloudevents'] as const

/** How a subscription wants its events: how much of them, and in which envelope (contract sections 2 and 5). */
export interface PayloadShape {
  /** `thin`: without `object`, `previous` and `changes`. */
  readonly payload: (typeof PAYLOADS)[number]
  readonly format: (typeof FORMATS)[number]
}
