import type { Clock } from '../../clock.ts'
import type { Config } from '../../config/config.ts'
import type { LiveConfig } from '../../config/live-config.ts'
import { readRuntime } from '../../config/runtime-keys.ts'
import type { RuntimeSettings } from '../../config/runtime-schema.ts'
import { fateOf } from '../../ledger/runtime-subscriptions.ts'
import type { RuntimeDisabling, RuntimeSubscription } from '../../model/runtime-subscription.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { RuntimeStore, RuntimeSurvey } from '../../store/ports/runtime-port.ts'
import { accountsOfOwner } from './owners.ts'
import { nextEnd, opened, signing } from './runtime-document.ts'

export interface RuntimeFollowerDeps {
  readonly live: LiveConfig
  readonly store: RuntimeStore
  readonly clock: Clock
  /** Called when others are in force: who sends looks at once. */
  readonly changed: () => void
}

/** A subscription as it was assembled last. */
interface Assembled {
  readonly of: RuntimeSubscription
  readonly by: Config
  /** When it is another one: a secret ends. */
  readonly until: number
  /** Null: it is not in force. */
  readonly subscription: Subscription | null
  readonly secrets: readonly string[]
  /** What the configuration says against it; null: nothing. */
  readonly against: RuntimeDisabling | null
}

/** After so long without a look it is not known what others changed. */
const STALE_MS = 2_500

/** Follows the subscriptions that are made at run time, by whichever process: they are in force here within a second. */
export class RuntimeFollower {
  readonly #deps: RuntimeFollowerDeps
  #survey: RuntimeSurvey = { revision: 0, subscriptions: [] }
  #assembled = new Map<string, Assembled>()
  #by: Config | null = null
  #until = Infinity
  #lookedAt = -Infinity

  constructor(deps: RuntimeFollowerDeps) {
    this.#deps = deps
  }

  /** All of them as of the last look, those that ended too. */
  get subscriptions(): readonly RuntimeSubscription[] {
    return this.#survey.subscriptions
  }

  /** Whether what is sent by may be out of date, as the store was away. */
  get isStale(): boolean {
    return this.#deps.clock.monotonic() - this.#lookedAt > STALE_MS
  }

  /** Looks for what others changed, and puts it in force. Throws `store_unusable`. */
  async look(): Promise<void> {
    const { clock, live, store } = this.#deps
    const found = await store.runtimeSurvey(this.#survey.revision)
    this.#lookedAt = clock.monotonic()
    if (found === null && this.#by === live.file && clock.now() < this.#until) return
    if (found !== null) this.#survey = found
    this.#adopt()
  }

  #adopt(): void {
    const { changed, clock, live } = this.#deps
    const now = clock.now()
    const living = this.#survey.subscriptions.filter(({ endedAt }) => endedAt === null)
    const assembled = living.map((row) => this.#assemble(row, now))
    this.#assembled = new Map(assembled.map((each) => [each.of.name, each]))
    this.#by = live.file
    this.#until = Math.min(...assembled.map(({ until }) => until))
    live.adopt(
      assembled.flatMap(({ subscription }) => subscription ?? []),
      assembled.flatMap(({ secrets }) => secrets),
    )
    changed()
  }

  #assemble(of: RuntimeSubscription, now: number): Assembled {
    const { file: by } = this.#deps.live
    const known = this.#assembled.get(of.name)
    if (known !== undefined && known.of.revision === of.revision && known.by === by && now < known.until) return known
    const { secrets, subscription, until, ...judged } = judgedBy(by, of, now)
    const isInForce = judged.against === null && of.disabledBy === null
    return { of, by, until, secrets, ...judged, subscription: isInForce ? subscription : null }
  }

  /**
   * What the configuration says of each of them, by name: for the one that is in force, which all workers then go by. Null: nothing
   * against it.
   */
  verdicts(): ReadonlyMap<string, RuntimeDisabling | null> {
    const { clock, live } = this.#deps
    const ttlMs = live.file.runtimeSubscriptions?.ttlMs ?? 0
    return new Map(
      [...this.#assembled.values()].map(({ against, of }) => {
        const isLapsed = fateOf(of, ttlMs, clock.now()) === 'lapsed'
        return [of.name, against ?? (isLapsed ? LAPSED : null)]
      }),
    )
  }

  /** The one of a name that lives; undefined: there is none. */
  living(name: string): RuntimeSubscription | undefined {
    return this.#assembled.get(name)?.of
  }
}

const LAPSED: RuntimeDisabling = {
  by: 'lapsed',
  reason: 'nobody changed it within `runtime_subscriptions.ttl`: a PATCH renews it',
}

interface Judged {
  readonly subscription: Subscription | null
  readonly against: RuntimeDisabling | null
  readonly secrets: readonly string[]
  readonly until: number
}

function against(by: RuntimeDisabling['by'], reason: string): Judged {
  return { subscription: null, against: { by, reason }, secrets: [], until: Infinity }
}

function judgedBy(config: Config, row: RuntimeSubscription, now: number): Judged {
  const settings = config.runtimeSubscriptions
  if (settings === null) return against('section', '`runtime_subscriptions` is not in the configuration any more')
  if (config.subscriptions.some(({ name }) => name === row.name))
    return against('file', 'a file of the configuration has a subscription of this name')
  const accounts = accountsOfOwner(config, row.owner)
  if (accounts === undefined)
    return against('owner', `\`http.tokens\` has no ${row.owner ?? ''} any more, which made it`)
  return assembledBy({ config, settings, row, accounts, now }) ?? against('bounds', 'the key does not open it')
}

interface Assembling {
  readonly config: Config
  readonly settings: RuntimeSettings
  readonly row: RuntimeSubscription
  readonly accounts: readonly string[] | null
  readonly now: number
}

function assembledBy({ accounts, config, now, row, settings }: Assembling): Judged | null {
  const document = opened(row, settings.key)
  if (document === null) return null
  const secrets = signing(document.secrets, now).map(({ secret }) => secret)
  const parts = { name: row.name, keys: document.keys, secrets, ownAccounts: accounts }
  const { problems, subscription } = readRuntime(parts, config, settings.allow)
  const until = nextEnd(document.secrets, now) ?? Infinity
  if (subscription !== null)
    return {
      subscription: { ...subscription, owner: row.owner, enabled: row.verifiedAt !== null },
      against: null,
      secrets,
      until,
    }
  const reason = problems.map(({ says }) => says).join('; ')
  return { subscription: null, against: { by: 'bounds', reason }, secrets, until }
}

/** Whether the key of a configuration opens everything that is stored. */
export function opensAll(settings: RuntimeSettings, rows: readonly RuntimeSubscription[]): boolean {
  return rows.every((row) => row.endedAt !== null || opened(row, settings.key) !== null)
}
