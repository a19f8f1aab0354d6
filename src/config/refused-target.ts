import ipaddr from 'ipaddr.js'
import { judgeAddress } from '../model/address/judge-address.ts'

/**
 * Why every attempt to a literal address will be refused (guarantee S10); null where it may pass. Names are judged where
 * they are dialled; of them only `localhost` and what ends in it (RFC 6761 section 6.3) are known here.
 */
export function refusedTarget(url: string, allowNetworks: readonly string[]): string | null {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const literals = /^(.+\.)?localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : [host]
  if (!literals.every((literal) => ipaddr.isValid(literal))) return null
  const refusals = literals.map((literal) => refusal(literal, allowNetworks))
  return refusals.includes(null) ? null : (refusals[0] ?? null)
}

function refusal(literal: string, allowNetworks: readonly string[]): string | null {
  const verdict = judgeAddress(literal, allowNetworks)
  return verdict.allowed ? null : `${literal} ${verdict.rule}`
}
