import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import PQueue from 'p-queue'
import type { Clock } from '../../clock.ts'
import { inOrder, type DnsAnswer } from './dns-answer.ts'
import { DnsClient } from './dns-client.ts'
import { parseHostsFile, withoutRoot, type HostsFile } from './hosts-file.ts'
import { advise, learn, UNKNOWN_NAME, type Advice, type Asking, type KnownName } from './known-name.ts'
import { lacksDescriptors, noDescriptorLeft } from '../own-limits.ts'
import { LOOKUP_LIMIT_MS, noAnswer } from './name-failure.ts'
import { WatchedFile } from './watched-file.ts'

/** Every address of a host name, in the order they are to be tried. Rejects where it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Look-ups at once, of two questions each. A small name server bears some 150 questions, and counts one that hangs for 10 s. */
const PLACES = 32
/** A look-up without an answer by then leaves its place to the next, and waits on. */
const PLACE_MS = 500
/** Places for names that nobody answered the last time. */
const PROBES = 8
const PROBE_MS = 2_000
/** Where old addresses would do, nobody waits longer than this (RFC 8767). */
const STALE_WAIT_MS = 1_800
const MOST_NAMES = 1_000

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

export interface NameResolverOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'after'>
  /** Paths. */
  readonly hosts: string
  readonly resolvConf: string
  /** `address:port`; left out: the system's. */
  readonly servers?: readonly string[]
  /** Whether this machine has a way to public IPv6 addresses. */
  readonly hasIpv6: () => boolean
}

/**
 * Finds the addresses of host names for a whole process: in the hosts file, else by the DNS, asking once for all who ask
 * for a name at a time. A name that nobody answers fails alone: it takes no thread, and a place only for a moment.
 *
 * Nothing calls Node's `dns.lookup`. That is the C library on the four threads that a process has for everything, two of which
 * may look up names: two names that hang would keep everybody waiting, for 10 s each. `cacheable-lookup` falls back to it for
 * the hosts file and has no search list; undici's `dns` interceptor is `dns.lookup` with a cache.
 *
 * Old addresses serve only where there was no answer. A name that is said not to exist has none from then on. The guard judges
 * whatever comes, fresh or old, for each connection.
 */
export class NameResolver {
  readonly #options: NameResolverOptions
  readonly #hosts: WatchedFile<HostsFile>
  readonly #dns: DnsClient
  readonly #known = new Map<string, KnownName>()
  /** The look-ups under way, each until its answer, or for as long as one may wait for it. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #places = new PQueue({ concurrency: PLACES })
  readonly #probes = new PQueue({ concurrency: PROBES })

  constructor(options: NameResolverOptions) {
    this.#options = options
    this.#hosts = new WatchedFile({ path: options.hosts, parse: parseHostsFile, clock: options.clock })
    this.#dns = new DnsClient(options)
  }

  /** Rejects with a `NameFailure`. */
  readonly resolve: Resolve = async (hostname) => {
    const name = hostname.toLowerCase()
    const local = this.#withoutDns(name)
    if (local !== null) return local
    const advice = this.#advise(name)
    if (advice.kind === 'use') return advice.addresses
    if (advice.kind === 'fail') throw advice.failure
    await (this.#underWay.get(name) ?? this.#ask(name, advice))
    const known = this.#advise(name)
    if (known.kind === 'use') return known.addresses
    if (known.kind === 'ask' && known.stale !== null) return known.stale
    if (lacksDescriptors()) throw noDescriptorLeft()
    throw known.kind === 'fail' ? known.failure : noAnswer()
  }

  /** Ends, for good, what would keep a process alive that has nothing else to do. */
  cancel(): void {
    this.#dns.cancel()
  }

  #withoutDns(name: string): readonly LookupAddress[] | null {
    const family = isIP(name)
    if (family !== 0) return [{ address: name, family }]
    const bare = withoutRoot(name)
    const listed = this.#hosts.value.get(bare) ?? (/(?:^|\.)localhost$/.test(bare) ? LOOPBACK : null)
    return listed === null ? null : inOrder(listed, this.#options.hasIpv6())
  }

  #advise(name: string): Advice {
    return advise(this.#known.get(name) ?? UNKNOWN_NAME, this.#options.clock.now())
  }

  /** Resolves once there is an answer, or when it is not worth waiting for any more; the answer is learnt all the same. */
  async #ask(name: string, { stale, hung }: Asking): Promise<void> {
    const { clock } = this.#options
    const ended = new AbortController()
    const [queue, heldMs] = hung ? [this.#probes, PROBE_MS] : [this.#places, PLACE_MS]
    const look = async (): Promise<void> => {
      void this.#look(name, ended)
      await clock.sleep(heldMs, ended.signal)
    }
    // Names with old addresses go first. After an outage all names have had no answer, and these are likely to be found again.
    void queue.add(look, { priority: stale === null ? 0 : 1 })
    const waiting = clock.sleep(stale === null ? LOOKUP_LIMIT_MS : STALE_WAIT_MS, ended.signal)
    this.#underWay.set(name, waiting)
    await waiting
  }

  async #look(name: string, ended: AbortController): Promise<void> {
    const answer = await this.#dns.ask(name, LOOKUP_LIMIT_MS)
    const known = this.#known.get(name) ?? UNKNOWN_NAME
    // Without a descriptor nobody was asked: c-ares does not say so.
    if (answer.kind === 'found' || answer.kind === 'unknown' || !lacksDescriptors()) {
      this.#known.delete(name)
      this.#known.set(name, learn(known, this.#ordered(answer), this.#options.clock.now()))
    }
    this.#underWay.delete(name)
    ended.abort()
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_NAMES && oldest !== undefined) this.#known.delete(oldest)
  }

  #ordered(answer: DnsAnswer): DnsAnswer {
    if (answer.kind !== 'found') return answer
    return { ...answer, addresses: inOrder(answer.addresses, this.#options.hasIpv6()) }
  }
}
