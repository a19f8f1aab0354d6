import { describe, expect, it } from 'vitest'
import { judgeAddress } from '../../../src/model/address/judge-address.ts'

const OPEN_EVERYTHING = ['0.0.0.0/0', '::/0']

const NEVER: readonly (readonly [address: string, rule: RegExp])[] = [
  ['0.0.0.0', /unspecified/],
  ['0.1.2.3', /unspecified/],
  ['169.254.0.1', /link-local/],
  ['169.254.169.254', /metadata/],
  ['169.254.170.2', /metadata/],
  ['100.100.100.200', /metadata/],
  ['168.63.129.16', /metadata/],
  ['224.0.0.1', /multicast/],
  ['239.255.255.250', /multicast/],
  ['240.0.0.1', /reserved/],
  ['255.255.255.255', /broadcast/],
  ['192.0.0.192', /reserved/],
  ['192.0.2.1', /reserved/],
  ['198.18.0.1', /reserved/],
  ['198.51.100.7', /reserved/],
  ['203.0.113.9', /reserved/],
  ['::', /unspecified/],
  ['fe80::1', /link-local/],
  ['fe80::1%eth0', /link-local/],
  ['fec0::1', /reserved/],
  ['ff02::1', /multicast/],
  ['fd00:ec2::254', /metadata/],
  ['fd20:ce::254', /metadata/],
  ['100::1', /reserved/],
  ['2001:db8::1', /reserved/],
  ['3fff::1', /reserved/],
  ['5f00::1', /reserved/],
  ['4000::1', /reserved/],
  ['::ffff:169.254.169.254', /metadata/],
  ['::ffff:a9fe:a9fe', /metadata/],
  ['::169.254.169.254', /metadata/],
  ['::ffff:0:169.254.169.254', /metadata/],
  ['::2', /unspecified/],
  ['64:ff9b::169.254.169.254', /metadata/],
  ['64:ff9b::e000:1', /multicast/],
  ['64:ff9b:1::169.254.169.254', /metadata/],
  ['64:ff9b:1:a9fe:a9:fe00::', /metadata/],
  ['2002:a9fe:a9fe::1', /metadata/],
  ['2002:e000:1::1', /multicast/],
  ['2001:0:a9fe:a9fe::1', /metadata/],
  ['2001:0:808:808:0:0:5601:5601', /metadata/],
  ['2606:4700::5efe:a9fe:a9fe', /metadata/],
  ['2606:4700::200:5efe:e000:1', /multicast/],
  ['fe80::a9fe:a9fe', /link-local/],
]

const OPENABLE: readonly (readonly [address: string, network: string])[] = [
  ['127.0.0.1', '127.0.0.0/8'],
  ['127.255.255.254', '127.0.0.0/8'],
  ['10.0.0.1', '10.0.0.0/8'],
  ['172.16.0.1', '172.16.0.0/12'],
  ['172.31.255.255', '172.31.255.255/32'],
  ['192.168.1.1', '192.168.0.0/16'],
  ['100.64.0.1', '100.64.0.0/10'],
  ['::1', '::1/128'],
  ['fc00::1', 'fc00::/7'],
  ['fd12:3456::1', 'fd12:3456::/32'],
  ['::ffff:127.0.0.1', '127.0.0.0/8'],
  ['::ffff:7f00:1', '127.0.0.0/8'],
  ['::127.0.0.1', '127.0.0.0/8'],
  ['::ffff:0:10.0.0.1', '10.0.0.0/8'],
  ['64:ff9b::10.0.0.1', '10.0.0.0/8'],
  ['64:ff9b:1::10.0.0.1', '10.0.0.0/8'],
  ['2002:7f00:1::', '127.0.0.0/8'],
  ['2002:c0a8:101::1', '192.168.0.0/16'],
  ['2001:0:808:808:0:0:80ff:fffe', '127.0.0.0/8'],
  ['2606:4700::5efe:10.0.0.1', '10.0.0.0/8'],
]

describe('the address guard', () => {
  it.each(NEVER)('never allows %s, whatever is opened', (address, rule) => {
    const verdict = judgeAddress(address, OPEN_EVERYTHING)
    expect(verdict).toEqual({ allowed: false, rule: expect.stringMatching(rule) })
  })

  it.each(OPENABLE)('allows %s only where a network names it', (address, network) => {
    expect(judgeAddress(address, [])).toEqual({ allowed: false, rule: expect.stringContaining('allow_networks') })
    expect(judgeAddress(address, ['198.51.100.0/24', '2001:db8::/32'])).toMatchObject({ allowed: false })
    expect(judgeAddress(address, [network])).toEqual({ allowed: true })
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::8.8.8.8',
    '2606:4700::5efe:8.8.8.8',
  ])('allows the public address %s', (address) => {
    expect(judgeAddress(address, [])).toEqual({ allowed: true })
  })

  it('says what to name, and for IPv4 inside IPv6 names the IPv4', () => {
    const only = 'which is dialled only where delivery.allow_networks names it'
    expect(judgeAddress('10.1.2.3', [])).toHaveProperty('rule', `is a private address, ${only} (10.1.2.3/32)`)
    expect(judgeAddress('fd00::1', [])).toHaveProperty('rule', `is a private address, ${only} (fd00::1/128)`)
    expect(judgeAddress('::ffff:10.1.2.3', ['::ffff:0:0/96'])).toHaveProperty(
      'rule',
      `holds 10.1.2.3, a private address, ${only} (10.1.2.3/32)`,
    )
  })

  it.each(['', 'localhost', '1.2.3.4.5', ':::', '127.0.0.1/8', '256.0.0.1'])(
    'refuses %j, which is no address',
    (address) => {
      expect(judgeAddress(address, OPEN_EVERYTHING)).toEqual({ allowed: false, rule: 'is not an IP address' })
    },
  )
})
