import type { ExpectationRule } from './expectation.ts'
import { WATCHABLES, watchedAs, type RecordResource, type Watchable } from './resource.ts'
import type { ProxySettings, TlsSettings } from './subscription.ts'

/** What the store files under no account (events about subscriptions, and their series) has this name; no account can be named so. */
export const NO_ACCOUNT = ''

/** An account of the platform, as configured (guarantee K3, `accounts.*`). Durations are milliseconds. */
export interface AccountSettings {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** IANA name; the calendar of due dates. */
  readonly timeZone: string
  /**
   * At most `share` (in (0, 1]) of `requests` in any window of `perMs`, one at least, and at most `concurrency` under way:
   * the rest is for others who use the key.
   */
  readonly budget: {
    readonly requests: number
    readonly perMs: number
    readonly concurrency: number
    readonly share: number
  }
  /** One deadline for a whole exchange, body included. */
  readonly timeoutMs: number
  /** How long changed estimates wait to ring; 0: not at all. */
  readonly settleMs: number
  readonly firstPoll: 'baseline' | 'emit'
  /** Whether sampled records are fetched by id and compared with what their list shows; left out: no. */
  readonly audit?: boolean
  /** How TLS is spoken; left out or null: by the system's authorities, and without client certificate. */
  readonly tls?: TlsSettings | null
  /** What the platform is reached through; left out or null: nothing. */
  readonly proxy?: ProxySettings | null
  /** The field that identifies a shipment; null: found on the first page. */
  readonly shipmentIdField: string | null
  /** Addresses of records at the platform, for people; `{id}` stands for the record's id. Left out: none is known. */
  readonly link?: Readonly<Partial<Record<RecordResource, string>>>
  /** What is expected of its records, in the order of the file; left out: nothing. */
  readonly expectations?: readonly ExpectationRule[]
  /** What is read, and how; what is left out is not watched. */
  readonly watch: { readonly [Name in Watchable]?: WatchSettings<Name> }
}

/** How something is read, with the settings that it alone has. */
type WatchSettings<Name extends Watchable> = Name extends keyof OwnSettings ? ListWatch & OwnSettings[Name] : ListWatch

interface OwnSettings {
  readonly shipments: {
    /** How long after a planned or estimated date `shipment.milestone_overdue` rings. */
    readonly milestoneGraceMs: number
  }
  readonly tracking: {
    /** Whether `ocean_coordinates` ring; otherwise they are ignored. */
    readonly positions: boolean
  }
  readonly invoices: {
    /** Leads of `invoice.due_soon`, whole days as multiples of 24 h. */
    readonly dueSoonMs: readonly number[]
  }
  readonly order_preparations: {
    /** The order preparations that are read: the platform has no list of them. */
    readonly references: readonly string[]
  }
}

export interface ListWatch {
  /** The longest an item may go unread. */
  readonly everyMs: number
  /** How much changes matter beside those of other resources, where there is budget beyond `everyMs`; left out: 1. */
  readonly weight?: number
  /** JSON Pointers of what is no change; `*` stands for any element or key. */
  readonly ignore: readonly string[]
  /** JSON Pointers that are no longer ignored by default; left out: none. `ignore` wins. */
  readonly notice?: readonly string[]
}

/** The time zone of an account; null where there is none of this name. */
export function zoneOfAccount(
  account: string | null,
  accounts: readonly Pick<AccountSettings, 'name' | 'timeZone'>[],
): string | null {
  return accounts.find(({ name }) => name === account)?.timeZone ?? null
}

/** What of an account is read, by its name under `watch`, in the order of the configuration reference. */
export function watchedIn(watch: AccountSettings['watch']): readonly (readonly [Watchable, ListWatch])[] {
  return WATCHABLES.flatMap((name) => {
    const settings = watch[name]
    return settings === undefined ? [] : [[name, settings] as const]
  })
}

/** JSON Pointers of what an account ignores of a resource unless it says `notice`. */
export const IGNORED_BY_DEFAULT: Readonly<Partial<Record<Watchable, readonly string[]>>> = {
  invoices: ['/usd_to_eur_rate'],
}

const NONE: readonly string[] = []

/** What is ignored by the settings of a resource. */
const IGNORED = new WeakMap<ListWatch, readonly string[]>()

/** Lists of pointers by what they say: an equal list of thousands of accounts is one list, because comparisons are compiled by it. */
const LISTS = new Map<string, readonly string[]>()

/** The JSON Pointers that an account ignores of a resource: those of `ignore`, of the defaults, and positions that are not watched. */
export function ignoredPaths({ watch }: Pick<AccountSettings, 'watch'>, resource: RecordResource): readonly string[] {
  const name = watchedAs(resource)
  const settings = watch[name]
  if (settings === undefined) return IGNORED_BY_DEFAULT[name] ?? NONE
  const known = IGNORED.get(settings)
  if (known !== undefined) return known
  const { ignore, notice = NONE } = settings
  const byDefault = (IGNORED_BY_DEFAULT[name] ?? NONE).filter((pointer) => !notice.includes(pointer))
  const positions = name === 'tracking' && watch.tracking?.positions !== true ? ['/ocean_coordinates'] : NONE
  const ignored = [...ignore, ...byDefault, ...positions]
  const text = JSON.stringify(ignored)
  const list = LISTS.get(text) ?? ignored
  LISTS.set(text, list)
  IGNORED.set(settings, list)
  return list
}

/** Whether an account could be called so. */
export function isAccountName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)
}
