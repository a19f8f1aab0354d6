import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeAddress } from '../../../src/model/address/judge-address.ts'
import { runs } from '../../support/runs.ts'

type Tier = 'public' | 'openable' | 'never'

/** First address, prefix length, tier; the first that holds an address decides. From the registries of IANA, by hand. */
const IPV4: readonly (readonly [first: number, bits: number, tier: Tier])[] = [
  [0xa9fea9fe, 32, 'never'],
  [0x64_64_64_c8, 32, 'never'],
  [0xa8_3f_81_10, 32, 'never'],
  [0x00000000, 8, 'never'],
  [0xa9fe0000, 16, 'never'],
  [0xc0000000, 24, 'never'],
  [0xc0000200, 24, 'never'],
  [0xc01fc400, 24, 'never'],
  [0xc034c100, 24, 'never'],
  [0xc0586300, 24, 'never'],
  [0xc0af3000, 24, 'never'],
  [0xc6120000, 15, 'never'],
  [0xc6336400, 24, 'never'],
  [0xcb007100, 24, 'never'],
  [0xe0000000, 3, 'never'],
  [0x0a000000, 8, 'openable'],
  [0x7f000000, 8, 'openable'],
  [0x64400000, 10, 'openable'],
  [0xac100000, 12, 'openable'],
  [0xc0a80000, 16, 'openable'],
]

const EVERYTHING = ['0.0.0.0/0', '::/0']
const RUNS = runs(84)

function tierOf(address: number): Tier {
  const row = IPV4.find(([first, bits]) => first >>> (32 - bits) === address >>> (32 - bits))
  return row?.[2] ?? 'public'
}

/** Random addresses, mostly at and around the edges of the networks above. */
const ipv4: fc.Arbitrary<number> = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(...IPV4).chain(([first, bits]) => fc.nat(2 ** (32 - bits) - 1).map((offset) => first + offset)),
  fc
    .constantFrom(
      ...IPV4.flatMap(([first, bits]) => [first - 1, first, first + 2 ** (32 - bits) - 1, first + 2 ** (32 - bits)]),
    )
    .map((address) => Math.min(Math.max(address, 0), 0xffffffff)),
)
const group = fc.nat(0xffff)

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.')
}

function hex(...groups: readonly number[]): string {
  return groups.map((each) => each.toString(16)).join(':')
}

function halves(address: number): readonly [number, number] {
  return [address >>> 16, address & 0xffff]
}

/** Each spelling of an IPv4 address in IPv6; `noise` fills what the form leaves free. */
const EMBEDDINGS: Readonly<Record<string, (address: number, noise: number) => string>> = {
  mapped: (address) => `::ffff:${dotted(address)}`,
  'mapped in hexadecimal': (address) => hex(0, 0, 0, 0, 0, 0xffff, ...halves(address)),
  translated: (address) => hex(0, 0, 0, 0, 0xffff, 0, ...halves(address)),
  NAT64: (address) => `64:ff9b::${dotted(address)}`,
  'local NAT64, /96': (address) => hex(0x64, 0xff9b, 1, 0, 0, 0, ...halves(address)),
  '6to4': (address, noise) => hex(0x2002, ...halves(address), noise, 0, 0, 0, noise),
  'Teredo client': (address, noise) => hex(0x2001, 0, 0x808, 0x808, noise, noise, ...halves(~address >>> 0)),
  'Teredo server': (address, noise) => hex(0x2001, 0, ...halves(address), noise, noise, 0xf7f7, 0xf7f7),
  ISATAP: (address, noise) => hex(0x2606, 0x4700, noise, noise, noise & 1 ? 0x200 : 0, 0x5efe, ...halves(address)),
}

function expectVerdict(address: string, allowNetworks: readonly string[], allowed: boolean): void {
  const verdict = judgeAddress(address, allowNetworks)
  if (verdict.allowed !== allowed) expect.fail(`${address} with [${allowNetworks.join()}]: ${JSON.stringify(verdict)}`)
}

function expectTier(address: string, tier: Tier): void {
  expectVerdict(address, [], tier === 'public')
  expectVerdict(address, EVERYTHING, tier !== 'never')
}

/** IPv4 from byte `start` on under 64:ff9b:1::/48; byte 8 stays empty, what would meet it goes on behind it (RFC 6052, 2.2). */
function localNat64(address: number, start: number): string {
  const bytes = [0, 0x64, 0xff, 0x9b, 0, 1, ...Array.from({ length: 10 }, () => 0)]
  for (let octet = 0; octet < 4; octet += 1) {
    const place = start + octet
    bytes[start < 8 && place >= 8 ? place + 1 : place] = (address >>> (24 - 8 * octet)) & 0xff
  }
  return hex(...Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)))
}

describe('whatever the address', () => {
  it('IPv4 falls into its tier', () => {
    fc.assert(
      fc.property(ipv4, (address) => expectTier(dotted(address), tierOf(address))),
      RUNS,
    )
  })

  it.each(Object.entries(EMBEDDINGS))('IPv4 falls into the same tier inside IPv6: %s', (_form, embed) => {
    fc.assert(
      fc.property(ipv4, group, (address, noise) => expectTier(embed(address, noise), tierOf(address))),
      RUNS,
    )
  })

  it('local NAT64 allows no closed IPv4 in any layout', () => {
    // 0.0.0.0/8 is left out: its zeros cannot be told from the padding of another layout.
    const used = ipv4.filter((address) => address >>> 24 !== 0)
    fc.assert(
      fc.property(used, fc.constantFrom(6, 7, 9, 12), (address, start) => {
        const target = localNat64(address, start)
        const tier = tierOf(address)
        if (tier !== 'public') expectVerdict(target, [], false)
        if (tier === 'never') expectVerdict(target, EVERYTHING, false)
      }),
      RUNS,
    )
  })

  it('a network opens what it holds, and nothing beside it', () => {
    fc.assert(
      fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), (address, network, bits) => {
        const holds = bits === 0 || network >>> (32 - bits) === address >>> (32 - bits)
        const tier = tierOf(address)
        const allowed = tier === 'public' || (tier === 'openable' && holds)
        expectVerdict(dotted(address), [`${dotted(network)}/${bits}`], allowed)
      }),
      RUNS,
    )
  })

  it('IPv6 outside 2000::/3 is never public, and of the rest only fc00::/7, ::1 and what embeds IPv4 can be opened', () => {
    const outside = fc.tuple(group, group, group, group, group, group, group, group).filter(([top]) => top >>> 13 !== 1)
    fc.assert(
      fc.property(outside, (groups) => {
        const [top] = groups
        const address = hex(...groups)
        if (top === 0 || top === 0x64) return
        expectVerdict(address, [], false)
        if (top >>> 9 !== 0xfc00 >>> 9) expectVerdict(address, EVERYTHING, false)
      }),
      RUNS,
    )
  })
})
