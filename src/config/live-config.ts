import { isDeepStrictEqual } from 'node:util'
import { prepareRedaction } from '../redact.ts'
import { secretsOf, type Config } from './config.ts'

/** The configuration in force, which a reload replaces. */
export class LiveConfig {
  #config: Config
  #secrets: readonly string[] = []
  /** The secrets from the next `replace` on, ready to be redacted. */
  #prepared: { readonly of: Config; readonly secrets: readonly string[] } | null = null

  constructor(config: Config) {
    this.#config = config
    this.#learn(config)
  }

  get config(): Config {
    return this.#config
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
    const { storage, http } = this.#config
    const staysHttp = addressOf(next) !== addressOf(this.#config)
    const stays = {
      ...(isDeepStrictEqual(storage, next.storage) ? {} : { storage }),
      ...(staysHttp ? { http: withAccess(http, next.http) } : {}),
    }
    this.#config = { ...next, ...stays }
    this.#learn(next)
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
  const { viewerToken, publicUrl } = next
  return { ...http, viewerToken, publicUrl, token: next.token ?? http.token }
}

function addressOf({ http }: Config): string | null {
  return http === null ? null : `${http.host} ${http.port}`
}
