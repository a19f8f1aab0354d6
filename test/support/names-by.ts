import { writeFileSync } from 'node:fs'
import type { Clock } from '../../src/clock.ts'
import { NameResolver } from '../../src/http/names/name-resolver.ts'
import { scratchFolder } from '../config/scratch.ts'
import type { LoopbackDns } from './loopback-dns.ts'

export interface NamesOptions {
  readonly clock: Clock
  readonly hosts?: string
  readonly resolvConf?: string
  readonly hasIpv6?: boolean
  /** Asked after the first. */
  readonly others?: readonly LoopbackDns[]
}

/** A resolver for a process whose name servers are those of a test, and the files that it reads. */
export function namesBy(dns: LoopbackDns, options: NamesOptions) {
  const { clock, hosts = '', resolvConf = 'search .', hasIpv6 = false, others = [] } = options
  const folder = scratchFolder()
  const files = { hosts: `${folder}/hosts`, resolvConf: `${folder}/resolv.conf` }
  writeFileSync(files.hosts, hosts)
  writeFileSync(files.resolvConf, resolvConf)
  const names = new NameResolver({
    clock,
    ...files,
    servers: [dns, ...others].map(({ server }) => server),
    hasIpv6: () => hasIpv6,
  })
  return { names, ...files }
}
