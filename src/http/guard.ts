import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { Verdict } from '../model/address/judge-address.ts'
import type { Resolve } from './names/name-resolver.ts'

/** Says which addresses may be dialled. */
export type Guard = (address: string) => Verdict

/** The guard refused every address of a target; nothing was dialled. The message is one sentence for the operator. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  /** `rule` completes "the address …"; `address` is null where the name has none. */
  constructor(refusal: { readonly hostname: string; readonly address: string | null; readonly rule: string }) {
    const { hostname, address, rule } = refusal
    const subject = address === null || address === hostname ? hostname : `${address} (an address of ${hostname})`
    super(`${subject} ${rule}`)
  }
}

/**
 * Those of a name's addresses that may be dialled; fails where there is none. They are judged for each connection, and the
 * socket gets the judged ones themselves, so an answer that changes between check and use changes nothing.
 */
export function guarded(resolve: Resolve, guard: Guard): Resolve {
  return async (hostname) => {
    const allowed: LookupAddress[] = []
    let refusal: AddressRefused | null = null
    for (const { address, family } of await resolve(hostname)) {
      const verdict = guard(address)
      if (verdict.allowed) allowed.push({ address, family })
      else refusal ??= new AddressRefused({ hostname, address, rule: verdict.rule })
    }
    if (allowed.length === 0)
      throw refusal ?? new AddressRefused({ hostname, address: null, rule: 'is not known to DNS' })
    return allowed
  }
}

/** An address that stands in a URL is never looked up. WHATWG URL parsing has already turned `2130706433` into `127.0.0.1`. */
export function refusedLiteral(host: string, guard: Guard): AddressRefused | null {
  const verdict = isIP(host) === 0 ? null : guard(host)
  return verdict?.allowed === false ? new AddressRefused({ hostname: host, address: host, rule: verdict.rule }) : null
}
