/** A subscription, as configured (contract section 2, `subscriptions.*`). Durations are milliseconds. */
export interface Subscription {
  readonly name: string
  /** Event patterns: exact, `prefix.*`, or `*`. */
  readonly events: readonly string[]
  /** null: all accounts. */
  readonly accounts: readonly string[] | null
  readonly enabled: boolean
  readonly channel: WebhookChannel
}

export interface WebhookChannel {
  readonly kind: 'webhook'
  readonly url: string
  /** Each signs every attempt; two during a rotation. `whsec_…` (Standard Webhooks symmetric secret). */
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly concurrency: number
}
