/** What the operator has configured, as far as it decides what rings. */
export interface AccountFacts {
  readonly account: string
  /** IANA name. */
  readonly zone: string
  readonly leads: readonly Lead[]
  readonly graceMs: number
}

/** A lead of `invoice.due_soon`, as the operator wrote it: a whole number of days, or a time. */
export type Lead = { readonly text: string; readonly days: number } | { readonly text: string; readonly ms: number }

/** Far from Greenwich on both sides, with half hours, and with clocks that skip midnight. */
export const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/Santiago',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const

export const LEADS: readonly (readonly Lead[])[] = [
  [],
  [
    { text: '7d', days: 7 },
    { text: '1d', days: 1 },
  ],
  [
    { text: '90m', ms: 90 * 60_000 },
    { text: '2d', days: 2 },
    { text: '36h', ms: 36 * 3_600_000 },
  ],
]

/** When lives begin: some days before clocks change somewhere. */
export const ERAS = ['2026-11-21', '2026-03-27', '2026-10-23', '2026-09-04', '2026-04-02'].map((day) =>
  Date.parse(`${day}T08:00:00Z`),
)

export function leadMs(lead: Lead): number {
  return 'days' in lead ? lead.days * 86_400_000 : lead.ms
}
