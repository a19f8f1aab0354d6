import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { buildConnector } from 'undici'
import { AddressRefused } from './address-refused.ts'
import { shareLookups, type Resolve } from './share-lookups.ts'
import { judgeAddress } from '../../model/address/judge-address.ts'
import type { OpenSockets } from '../../net/open-sockets.ts'
import { socketConnector } from '../../net/socket-connector.ts'

export interface GuardOptions {
  /** CIDRs of private and loopback networks that may be dialled. */
  readonly allowNetworks: readonly string[]
  readonly timeoutMs: number
  /** Gets every connection, also while it is made. */
  readonly sockets: OpenSockets
  readonly resolve?: Resolve
  /** Of https targets. */
  readonly tls?: Pick<ConnectionOptions, 'rejectUnauthorized' | 'secureContext'>
}

/**
 * An undici connector that dials only addresses it has judged. A name is resolved once per connection, and the socket gets
 * the judged addresses themselves, so an answer that changes between check and use changes nothing. Literals are judged
 * here because no lookup happens for them; WHATWG URL parsing has already turned `2130706433` into `127.0.0.1`.
 * Refusals arrive as `AddressRefused`.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowNetworks, sockets, timeoutMs, tls } = options
  const lookup = guardedLookup(shareLookups(options.resolve ?? resolveBySystem), allowNetworks)
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

interface NameQuestion {
  readonly hostname: string
  readonly resolve: Resolve
  readonly allowNetworks: readonly string[]
}

/** Hands the socket those of a name's addresses that may be dialled, and fails where there is none. */
function guardedLookup(resolve: Resolve, allowNetworks: readonly string[]): LookupFunction {
  return (hostname, { all }, callback) => {
    void answer({ hostname, resolve, allowNetworks }, (error, addresses) => {
      if (error !== null || all === true) callback(error, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

async function answer(
  question: NameQuestion,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
): Promise<void> {
  let outcome: LookupAddress[] | Error
  try {
    outcome = await judgedAddresses(question)
  } catch (error) {
    outcome = error instanceof Error ? error : new Error(String(error))
  }
  if (outcome instanceof Error) callback(outcome, [])
  else callback(null, outcome)
}

async function judgedAddresses({ hostname, resolve, allowNetworks }: NameQuestion): Promise<LookupAddress[]> {
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

async function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  return await systemLookup(hostname, { all: true })
}
