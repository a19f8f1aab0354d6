import { secretsOf, type Config } from './config.ts'

/** The configuration in force, which a reload replaces. */
export class LiveConfig {
  #config: Config
  readonly #secrets = new Set<string>()

  constructor(config: Config) {
    this.#config = config
    this.#learn(config)
  }

  get config(): Config {
    return this.#config
  }

  /** Every secret that was in force since the start: what a reload took away may still be on its way somewhere. */
  get secrets(): readonly string[] {
    return [...this.#secrets]
  }

  /**
   * Puts another configuration in force, but for what only a restart can change: the store, and the address of the admin
   * interface. Returns the keys of these that differ.
   */
  replace(next: Config): readonly string[] {
    const { storage, http } = this.#config
    const staysHttp = addressOf(next) !== addressOf(this.#config)
    const stays = { ...(storage.path === next.storage.path ? {} : { storage }), ...(staysHttp ? { http } : {}) }
    this.#config = { ...next, ...stays }
    this.#learn(next)
    return Object.keys(stays)
  }

  #learn(config: Config): void {
    for (const secret of secretsOf(config)) this.#secrets.add(secret)
  }
}

function addressOf({ http }: Config): string | null {
  return http === null ? null : `${http.host} ${http.port}`
}
