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

interface Judging {
  readonly guard: Guard
  readonly resolve: Resolve
  /** Whether a name without an address here may pass. */
  readonly allowUnresolved: boolean
}

/**
 * Judges a target that somebody else will dial: every address that its name has here must be allowed, because any of them may be
 * chosen there. Rejects with `AddressRefused`, or with what the look-up says where the name has no address.
 */
export async function assertAllowed(host: string, { guard, resolve, allowUnresolved }: Judging): Promise<void> {
  const literal = refusedLiteral(host, guard)
  if (literal !== null) throw literal
  if (isIP(host) !== 0) return
  const addresses = await resolve(host).catch((error: unknown) => {
    if (allowUnresolved) return []
    throw error
  })
  for (const { address } of addresses) {
    const verdict = guard(address)
    if (!verdict.allowed) throw new AddressRefused({ hostname: host, address, rule: verdict.rule })
  }
  if (addresses.length === 0 && !allowUnresolved)
    throw new AddressRefused({ hostname: host, address: null, rule: 'is not known to DNS' })
}
