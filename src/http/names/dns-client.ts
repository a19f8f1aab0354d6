import type { RecordWithTtl } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Clock } from '../../clock.ts'
import { answerOfFailure, together, type DnsAnswer } from './dns-answer.ts'
import { namesToAsk, parseResolvConf, type ResolvConf } from './resolv-conf.ts'
import { WatchedFile } from './watched-file.ts'

/** How long the first question waits until it is put again, which doubles; and how often it is put. */
const FIRST_WAIT_MS = 500
const TRIES = 4
/** Some firewalls swallow one of the two questions. The addresses of the other family wait no longer than this for it. */
const OTHER_FAMILY_MS = 250

export interface DnsClientOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'after'>
  readonly resolvConf: string
  /** `address:port`; left out: those of the system, as they are when a name is asked for. */
  readonly servers?: readonly string[]
}

/**
 * Asks the DNS for full names, one after another as the search list has it. Every look-up has a c-ares channel of its own:
 * one that is shared drops the answers to all that is under way on its socket whenever one question times out, and a channel
 * that is made for the occasion knows the servers of that moment.
 */
export class DnsClient {
  readonly #options: DnsClientOptions
  readonly #resolvConf: WatchedFile<ResolvConf>
  readonly #asking = new Set<Resolver>()
  #cancelled = false

  constructor(options: DnsClientOptions) {
    const { clock, resolvConf: path } = options
    this.#options = options
    this.#resolvConf = new WatchedFile({ path, parse: parseResolvConf, clock })
  }

  /** `hung` after `limitMs` at the latest. Never rejects. */
  async ask(name: string, limitMs: number): Promise<DnsAnswer> {
    if (this.#cancelled) return { kind: 'hung' }
    const conf = this.#resolvConf.value
    const resolver = this.#open(conf)
    const limit = this.#options.clock.after(limitMs, () => resolver.cancel())
    try {
      return await this.#search(resolver, namesToAsk(name, { search: conf.search ?? localDomain(), ndots: conf.ndots }))
    } finally {
      limit[Symbol.dispose]()
      // The other family may still be asked for.
      resolver.cancel()
      this.#asking.delete(resolver)
    }
  }

  /** Ends it for good: what is under way would keep the process alive. */
  cancel(): void {
    this.#cancelled = true
    for (const resolver of this.#asking) resolver.cancel()
  }

  /**
   * Asks for one name after the other while a server cannot tell. If no answer came in time, no more is asked for: it would be
   * waited for in vain, too.
   */
  async #search(resolver: Resolver, names: readonly string[]): Promise<DnsAnswer> {
    let failure: DnsAnswer = { kind: 'unknown' }
    for (const name of names) {
      const answer = await this.#askServers(resolver, name)
      if (answer.kind === 'found' || answer.kind === 'hung') return answer
      if (answer.kind === 'failed') failure = answer
    }
    return failure
  }

  /** c-ares goes to the next server where one is silent, and takes it for an answer where one says that it cannot tell. */
  async #askServers(resolver: Resolver, name: string): Promise<DnsAnswer> {
    const servers = resolver.getServers()
    let answer = await this.#askBoth(resolver, name)
    for (const server of servers.slice(1)) {
      if (answer.kind !== 'failed' || !choose(resolver, [server])) return answer
      answer = await this.#askBoth(resolver, name)
      choose(resolver, servers)
    }
    return answer
  }

  async #askBoth(resolver: Resolver, name: string): Promise<DnsAnswer> {
    const answers: DnsAnswer[] = [{ kind: 'hung' }, { kind: 'hung' }]
    const asked = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })].map(
      async (records, place) => {
        const answer = await answerOf(records)
        answers[place] = answer
        return answer
      },
    )
    const all = Promise.all(asked)
    const first = await Promise.race(asked)
    if (first.kind === 'found') await this.#within(all, OTHER_FAMILY_MS)
    else await all
    return together(answers)
  }

  async #within(promise: Promise<unknown>, ms: number): Promise<void> {
    const ended = new AbortController()
    void promise.then(() => ended.abort())
    await this.#options.clock.sleep(ms, ended.signal)
  }

  #open({ timeoutMs, attempts }: ResolvConf): Resolver {
    const tries = timeoutMs === null ? TRIES : (attempts ?? 2)
    const resolver = new Resolver({ timeout: timeoutMs ?? FIRST_WAIT_MS, tries })
    if (this.#options.servers !== undefined) resolver.setServers(this.#options.servers)
    this.#asking.add(resolver)
    return resolver
  }
}

/**
 * Sets the servers of a resolver; false: it does not take them. c-ares reads some spellings of servers from the system that it
 * does not accept back.
 */
function choose(resolver: Resolver, servers: readonly string[]): boolean {
  try {
    resolver.setServers(servers)
    return true
  } catch {
    return false
  }
}

async function answerOf(records: Promise<readonly RecordWithTtl[]>): Promise<DnsAnswer> {
  try {
    const found = await records
    if (found.length === 0) return { kind: 'unknown' }
    const addresses = found.map(({ address }) => ({ address, family: isIP(address) }))
    return { kind: 'found', addresses, ttlMs: Math.min(...found.map(({ ttl }) => ttl)) * 1_000 }
  } catch (error) {
    return answerOfFailure(error instanceof Error && 'code' in error ? String(error.code) : String(error))
  }
}

/** Where no search list is said, the rest of this machine's own name is searched. */
function localDomain(): readonly string[] {
  const [, ...domain] = hostname().split('.')
  return domain.length === 0 ? [] : [domain.join('.')]
}
