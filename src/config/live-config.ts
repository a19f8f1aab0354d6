import { isDeepStrictEqual } from 'node:util'
import type { Subscription } from '../model/subscription.ts'
import { prepareRedaction } from '../redact.ts'
import { secretsOf, type Config } from './config.ts'

/** The configuration in force: what its files say, which a reload replaces, and the subscriptions that were made at run time. */
export class LiveConfig {
  #file: Config
  #madeAtRunTime: readonly Subscription[] = []
  /** What is in force: both together. */
  #config: Config
  #secrets: readonly string[] = []
  /** The secrets from the next `replace` on, ready to be redacted. */
  #prepared: { readonly of: Config; readonly secrets: readonly string[] } | null = null

  constructor(config: Config) {
    this.#file = config
    this.#config = config
    this.#learn(config)
  }

  /** What is in force: subscriptions that were made at run time stand among those of the files. */
  get config(): Config {
    return this.#config
  }

  /** What the files say. */
  get file(): Config {
    return this.#file
  }

  /** Puts other subscriptions in force that were made at run time, with what signs them. A name of the files is theirs. */
  adopt(madeAtRunTime: readonly Subscription[], signing: readonly string[]): void {
    const known = new Set(this.#secrets)
    // What else of them may be secret is in no log line, and could be a word that many lines have.
    if (signing.some((secret) => !known.has(secret))) this.#secrets = [...new Set([...this.#secrets, ...signing])]
    this.#madeAtRunTime = madeAtRunTime
    this.#join()
  }

  #join(): void {
    const names = new Set(this.#file.subscriptions.map(({ name }) => name))
    const others = this.#madeAtRunTime.filter(({ name }) => !names.has(name))
    this.#config =
      others.length === 0 ? this.#file : { ...this.#file, subscriptions: [...this.#file.subscriptions, ...others] }
  }

  /**
   * Every secret that was in force since the start: what a reload took away may still be on its way somewhere. The same list
   * until there is another.
   */
  get secrets(): readonly string[] {
    return this.#secrets
  }

  /** Makes ready what `replace` with this configuration takes long for where secrets are thousands: `letOthers` is called now and then. */
  async prepare(next: Config, letOthers: () => Promise<void>): Promise<void> {
    const secrets = this.#secretsWith(next)
    await prepareRedaction(secrets, letOthers)
    this.#prepared = { of: next, secrets }
  }

  /**
   * Puts another configuration in force, but for what only a restart can change: the store, and the address of the admin
   * interface. Returns the keys of these that differ.
   */
  replace(next: Config): readonly string[] {
    const { storage, http } = this.#file
    const staysHttp = addressOf(next) !== addressOf(this.#file)
    const stays = {
      ...(isDeepStrictEqual(storage, next.storage) ? {} : { storage }),
      ...(staysHttp ? { http: withAccess(http, next.http) } : {}),
    }
    this.#file = { ...next, ...stays }
    this.#learn(next)
    this.#join()
    return Object.keys(stays)
  }

  #learn(config: Config): void {
    this.#secrets = this.#prepared?.of === config ? this.#prepared.secrets : this.#secretsWith(config)
    this.#prepared = null
  }

  #secretsWith(config: Config): readonly string[] {
    return [...new Set([...this.#secrets, ...secretsOf(config)])]
  }
}

/** New tokens hold at the old address too: the old ones may be what had to go. No address loses its token. */
function withAccess(http: Config['http'], next: Config['http']): Config['http'] {
  if (http === null || next === null) return http
  const { viewerToken, tokens, publicUrl } = next
  return { ...http, viewerToken, tokens, publicUrl, token: next.token ?? http.token }
}

function addressOf({ http }: Config): string | null {
  return http === null ? null : `${http.host} ${http.port}`
}
