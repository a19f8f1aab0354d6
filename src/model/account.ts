/** An account of the platform, as configured (contract section 2, `accounts.*`). Durations are milliseconds. */
export interface AccountSettings {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** IANA name; the calendar of due dates. */
  readonly timeZone: string
  /** At most `requests` in any window of `perMs`, at most `concurrency` under way. */
  readonly budget: { readonly requests: number; readonly perMs: number; readonly concurrency: number }
  /** One deadline for a whole exchange, body included. */
  readonly timeoutMs: number
  readonly firstPoll: 'baseline' | 'emit'
  /** The field that identifies a shipment; null: found on the first page. */
  readonly shipmentIdField: string | null
  readonly watch: {
    readonly shipments?: ListWatch
    readonly tracking?: ListWatch
    readonly invoices?: ListWatch
  }
}

export interface ListWatch {
  /** The longest an item may go unread. */
  readonly everyMs: number
}
