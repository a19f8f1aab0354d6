import { describe, expect, it, test } from 'vitest'
import { parseHostsFile } from '../../../src/http/names/hosts-file.ts'
import { namesToAsk, parseResolvConf } from '../../../src/http/names/resolv-conf.ts'

describe('the hosts file', () => {
  const hosts = parseHostsFile(`# comments, also after entries
127.0.0.1 localhost
::1\tlocalhost ip6-localhost   ip6-loopback
  10.0.0.5  ERP.example erp # the old one
10.0.0.6 erp.example.
10.0.0.6 erp.example\r
not.an.address nowhere
10.0.0.7
fe80::1%lo linklocal
`)

  it.each<[string, readonly string[] | undefined]>([
    ['localhost', ['127.0.0.1', '::1']],
    ['ip6-loopback', ['::1']],
    ['erp.example', ['10.0.0.5', '10.0.0.6']],
    ['erp', ['10.0.0.5']],
    ['linklocal', ['fe80::1%lo']],
    ['nowhere', undefined],
    ['the', undefined],
    ['', undefined],
  ])('%j', (name, addresses) => {
    expect(hosts.get(name)?.map(({ address }) => address)).toEqual(addresses)
  })

  test('says of which family an address is', () => {
    expect(hosts.get('localhost')?.map(({ family }) => family)).toEqual([4, 6])
  })
})

describe('resolv.conf', () => {
  const nothing = { search: null, ndots: 1, timeoutMs: null, attempts: null }

  it.each<[string, object]>([
    ['', nothing],
    ['nameserver 10.0.0.2\n# search a\n;search b', nothing],
    [
      'search default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5',
      {
        search: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
        ndots: 5,
      },
    ],
    ['domain Example.COM.\n', { search: ['example.com'] }],
    ['search a b\ndomain c d', { search: ['c'] }],
    ['domain c\nsearch a b # d', { search: ['a', 'b'] }],
    ['search .', { search: [] }],
    ['options ndots:0 timeout:2 attempts:4 edns0 trust-ad', { ndots: 0, timeoutMs: 2_000, attempts: 4 }],
    ['options ndots:99 timeout:0\noptions attempts:99', { ndots: 15, timeoutMs: 1_000, attempts: 5 }],
    ['options ndots:x timeout:-1 attempts', nothing],
    ['searching a\n search b\r\n', { search: ['b'] }],
  ])('%j', (text, expected) => {
    expect(parseResolvConf(text)).toEqual({ ...nothing, ...expected })
  })
})

describe('a name', () => {
  const search = ['ns.svc.cluster.local', 'cluster.local']

  it.each<[string, number, readonly string[]]>([
    ['receiver', 1, ['receiver.ns.svc.cluster.local', 'receiver.cluster.local', 'receiver']],
    ['receiver', 0, ['receiver', 'receiver.ns.svc.cluster.local', 'receiver.cluster.local']],
    ['db.prod', 5, ['db.prod.ns.svc.cluster.local', 'db.prod.cluster.local', 'db.prod']],
    ['db.prod', 1, ['db.prod', 'db.prod.ns.svc.cluster.local', 'db.prod.cluster.local']],
    ['erp.example.', 5, ['erp.example']],
    [`${'a.'.repeat(124)}aa`, 1, [`${'a.'.repeat(124)}aa`]],
  ])('%j with ndots %i is asked for as', (name, ndots, asked) => {
    expect(namesToAsk(name, { search, ndots })).toEqual(asked)
  })
})
