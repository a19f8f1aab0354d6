import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { buildConnector } from 'undici'
import { AddressRefused } from './address-refused.ts'
import { judgeAddress } from '../../model/address/judge-address.ts'
import { lookupBy } from '../../names/lookup-by.ts'
import type { Resolve } from '../../names/resolve.ts'
import { systemNames } from '../../names/system-names.ts'
import type { OpenSockets } from '../../net/open-sockets.ts'
import { socketConnector } from '../../net/socket-connector.ts'

export interface GuardOptions {
  /** CIDRs of private and loopback networks that may be dialled. */
  readonly allowNetworks: readonly string[]
  readonly timeoutMs: number
  /** Gets every connection, also while it is made. */
  readonly sockets: OpenSockets
  /** Default: the process's. */
  readonly resolve?: Resolve
  /** Of https targets. */
  readonly tls?: Pick<ConnectionOptions, 'rejectUnauthorized' | 'secureContext'>
}

/**
 * An undici connector that dials only addresses it has judged. A name's addresses are judged for each connection, and the
 * socket gets the judged ones themselves, so an answer that changes between check and use changes nothing. Literals are judged
 * here because no lookup happens for them; WHATWG URL parsing has already turned `2130706433` into `127.0.0.1`.
 * Refusals arrive as `AddressRefused`.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowNetworks, sockets, timeoutMs, tls } = options
  const lookup = lookupBy(judged(options.resolve ?? systemNames.resolve, allowNetworks))
  const dial = socketConnector({ ...tls, lookup, timeout: timeoutMs, allowH2: false, autoSelectFamily: true }, sockets)
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, '')
    const verdict = isIP(literal) === 0 ? null : judgeAddress(literal, allowNetworks)
    if (verdict?.allowed === false) {
      callback(new AddressRefused({ hostname: literal, address: literal, rule: verdict.rule }), null)
      return
    }
    dial(target, callback)
  }
}

/** Those of a name's addresses that may be dialled; fails where there is none. */
function judged(resolve: Resolve, allowNetworks: readonly string[]): Resolve {
  return async (hostname) => {
    const allowed: LookupAddress[] = []
    let refusal: AddressRefused | null = null
    for (const { address, family } of await resolve(hostname)) {
      const verdict = judgeAddress(address, allowNetworks)
      if (verdict.allowed) allowed.push({ address, family })
      else refusal ??= new AddressRefused({ hostname, address, rule: verdict.rule })
    }
    if (allowed.length === 0)
      throw refusal ?? new AddressRefused({ hostname, address: null, rule: 'is not known to DNS' })
    return allowed
  }
}
