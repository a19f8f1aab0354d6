import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NameResolver } from '../../../src/http/names/name-resolver.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { LoopbackDns } from '../../support/loopback-dns.ts'
import { namesBy } from '../../support/names-by.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIMIT = 5_000

let dns: LoopbackDns
let clock: FakeClock

beforeEach(async () => {
  dns = await LoopbackDns.start()
  clock = new FakeClock()
})

afterEach(async () => {
  await dns[Symbol.asyncDispose]()
})

/** Its addresses, or why it has none. */
async function find(names: NameResolver, name: string): Promise<readonly string[] | string> {
  try {
    return (await names.resolve(name)).map(({ address }) => address)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The same of a name that hangs: time goes on once it was asked for, until there is an outcome. */
async function findHanging(names: NameResolver, name: string, ms = LIMIT): Promise<readonly string[] | string> {
  const asked = dns.heard
  const outcome = find(names, name)
  await vi.waitFor(() => expect(dns.heard).toBeGreaterThan(asked))
  await clock.advance(ms)
  return await outcome
}

const NO_ANSWER = 'no DNS server answered within 5s (EAI_AGAIN)'
const UNKNOWN = 'the DNS knows no address of it (ENOTFOUND)'

describe('without the DNS', () => {
  it('finds literals, localhost, and what the hosts file has', async () => {
    const { names } = namesBy(dns, { clock, hosts: '10.0.0.5 erp.example ERP\n10.0.0.6 erp.example' })
    expect(await find(names, '10.1.2.3')).toEqual(['10.1.2.3'])
    expect(await find(names, '::1')).toEqual(['::1'])
    expect(await find(names, 'localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await find(names, 'app.localhost.')).toEqual(['127.0.0.1', '::1'])
    expect(await find(names, 'Erp.Example')).toEqual(['10.0.0.5', '10.0.0.6'])
    expect(await find(names, 'erp.')).toEqual(['10.0.0.5'])
    expect(dns.asked).toEqual([])
  })

  it('takes up a hosts file that changes, and what it says against what the DNS said', async () => {
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names, hosts } = namesBy(dns, { clock })
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
    writeFileSync(hosts, '10.0.0.5 erp.example')
    await clock.advance(1_000)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.5'])
    writeFileSync(hosts, '')
    await clock.advance(1_000)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
  })
})

describe('by the DNS', () => {
  it('finds all addresses, of the family first that this machine can reach', async () => {
    dns.zone.set('erp.example', ['2001:db8::1', '10.0.0.1', '2001:db8::2', '10.0.0.2'])
    const [v4, v6] = [namesBy(dns, { clock }), namesBy(dns, { clock, hasIpv6: true })]
    expect(await find(v4.names, 'erp.example')).toEqual(['10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2'])
    expect(await find(v6.names, 'erp.example')).toEqual(['2001:db8::1', '2001:db8::2', '10.0.0.1', '10.0.0.2'])
    expect((await v4.names.resolve('erp.example')).map(({ family }) => family)).toEqual([4, 4, 6, 6])
  })

  it('asks once for all who ask at a time, and for as long as the answer lives', async () => {
    dns.ttl = 60
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    const all = await Promise.all(Array.from({ length: 50 }, async () => await find(names, 'erp.example')))
    expect(new Set(all.flat())).toEqual(new Set(['10.0.0.1']))
    await clock.advance(59_999)
    expect(await find(names, 'ERP.example')).toEqual(['10.0.0.1'])
    expect(dns.asked).toEqual(['erp.example'])
    dns.zone.set('erp.example', ['10.0.0.2'])
    await clock.advance(1)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.2'])
  })

  it.each([
    [0, 5_000],
    [1, 5_000],
    [86_400, 5 * MINUTE],
  ])('keeps an answer that lives %i s for %i ms', async (ttl, ms) => {
    dns.ttl = ttl
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    await find(names, 'erp.example')
    await clock.advance(ms - 1)
    await find(names, 'erp.example')
    expect(dns.asked).toHaveLength(1)
    await clock.advance(1)
    await find(names, 'erp.example')
    expect(dns.asked).toHaveLength(2)
  })

  it('asks again where the clock was set back', async () => {
    dns.ttl = 60
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    await find(names, 'erp.example')
    clock.jump(clock.now() - 400 * 24 * HOUR)
    await find(names, 'erp.example')
    expect(dns.asked).toHaveLength(2)
  })

  it('finds short names by the search list, as a container has it', async () => {
    dns.zone.set('receiver.prod.svc.cluster.local', ['10.0.0.1'])
    dns.zone.set('db.ops.svc.cluster.local', ['10.0.0.2'])
    dns.zone.set('api.example.com', ['192.0.2.1'])
    dns.broken.add('api.example.com.svc.cluster.local')
    const resolvConf = 'search prod.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5'
    const { names } = namesBy(dns, { clock, resolvConf })
    expect(await find(names, 'receiver')).toEqual(['10.0.0.1'])
    expect(await find(names, 'db.ops')).toEqual(['10.0.0.2'])
    expect(await find(names, 'api.example.com')).toEqual(['192.0.2.1'])
    expect(await find(names, 'api.example.com.')).toEqual(['192.0.2.1'])
    expect(await find(names, 'elsewhere')).toBe(UNKNOWN)
  })

  it('takes up a search list that changes', async () => {
    dns.zone.set('receiver.b', ['10.0.0.1'])
    const { names, resolvConf } = namesBy(dns, { clock, resolvConf: 'search a' })
    expect(await find(names, 'receiver')).toBe(UNKNOWN)
    writeFileSync(resolvConf, 'search b c')
    await clock.advance(LIMIT)
    expect(await find(names, 'receiver')).toEqual(['10.0.0.1'])
  })
})

describe('a name without an answer', () => {
  it('that does not exist is asked for again after a moment, and forgets what it was', async () => {
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    await find(names, 'erp.example')
    dns.zone.clear()
    await clock.advance(LIMIT)
    expect([await find(names, 'erp.example'), await find(names, 'erp.example')]).toEqual([UNKNOWN, UNKNOWN])
    expect(dns.asked).toHaveLength(2)
    dns.zone.set('erp.example', ['10.0.0.2'])
    await clock.advance(LIMIT)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.2'])
  })

  it('that hangs fails after the limit, at once for a while, and then is asked for again', async () => {
    dns.silent.add('erp.example')
    const { names } = namesBy(dns, { clock })
    expect(await findHanging(names, 'erp.example')).toBe(NO_ANSWER)
    expect(await find(names, 'erp.example')).toBe(NO_ANSWER)
    dns.silent.clear()
    dns.zone.set('erp.example', ['10.0.0.1'])
    await clock.advance(LIMIT - 1)
    expect(await find(names, 'erp.example')).toBe(NO_ANSWER)
    await clock.advance(1)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
  })

  it('that cannot be found out says so', async () => {
    dns.broken.add('erp.example')
    const { names } = namesBy(dns, { clock })
    expect(await find(names, 'erp.example')).toBe('the DNS server could not find it out (SERVFAIL) (EAI_AGAIN)')
  })

  it('says that there is no server', async () => {
    const gone = await LoopbackDns.start()
    await gone[Symbol.asyncDispose]()
    const { names } = namesBy(gone, { clock })
    expect(await find(names, 'erp.example')).toBe('no DNS server can be reached (EAI_AGAIN)')
  })

  it('lives on by what it was for an hour, without being waited for for long', async () => {
    dns.ttl = 60
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    await find(names, 'erp.example')
    dns.silent.add('erp.example')
    await clock.advance(MINUTE)
    expect(await findHanging(names, 'erp.example', 1_800)).toEqual(['10.0.0.1'])
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
    await clock.advance(LIMIT)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
    dns.silent.clear()
    dns.broken.add('erp.example')
    await clock.advance(30 * MINUTE)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1'])
    await clock.advance(HOUR)
    expect(await find(names, 'erp.example')).toMatch(/SERVFAIL/)
  })

  it('serves what half of it is answered, not for long', async () => {
    dns.ttl = 60
    dns.zone.set('erp.example', ['10.0.0.1', '2001:db8::1'])
    dns.silentFamily = 6
    const { names } = namesBy(dns, { clock })
    expect(await findHanging(names, 'erp.example', 250)).toEqual(['10.0.0.1'])
    dns.silentFamily = null
    await clock.advance(LIMIT)
    expect(await find(names, 'erp.example')).toEqual(['10.0.0.1', '2001:db8::1'])
  })
})

describe('names that hang', () => {
  it('keep no other waiting, however many they are', async () => {
    dns.zone.set('erp.example', ['10.0.0.1'])
    const { names } = namesBy(dns, { clock })
    const hanging = Array.from({ length: 200 }, (_, n) => `dead${n}.example`)
    for (const name of hanging) dns.silent.add(name)
    const dead = Promise.all(hanging.map(async (name) => await find(names, name)))
    const healthy = find(names, 'erp.example')
    for (let waited = 0; waited < 4_000; waited += 500) await clock.advance(500)
    expect(await healthy).toEqual(['10.0.0.1'])
    await clock.advance(LIMIT)
    expect(new Set(await dead)).toEqual(new Set([NO_ANSWER]))
  })

  it('are asked a few at a time once they are known to, each in its turn', async () => {
    const { names } = namesBy(dns, { clock })
    const hanging = Array.from({ length: 24 }, (_, n) => `dead${n}.example`)
    for (const name of hanging) dns.silent.add(name)
    const findAll = async (): Promise<Set<unknown>> =>
      new Set(await Promise.all(hanging.map(async (name) => await find(names, name))))
    const first = findAll()
    await vi.waitFor(() => expect(dns.heard).toBe(48))
    await clock.advance(LIMIT)
    expect(await first).toEqual(new Set([NO_ANSWER]))
    await clock.advance(LIMIT)
    dns.heardOf.clear()
    const second = findAll()
    await vi.waitFor(() => expect(dns.heardOf.size).toBe(8))
    await clock.advance(2_000)
    await vi.waitFor(() => expect(dns.heardOf.size).toBe(16))
    await clock.advance(3_000)
    expect(await second).toEqual(new Set([NO_ANSWER]))
    await vi.waitFor(() => expect(dns.heardOf.size).toBe(24))
  })

  it('keep no process alive that cancels them', async () => {
    dns.silent.add('erp.example')
    const { names } = namesBy(dns, { clock })
    const outcome = find(names, 'erp.example')
    await vi.waitFor(() => expect(dns.heard).toBeGreaterThan(0))
    names.cancel()
    expect(await outcome).toBe(NO_ANSWER)
    expect(await find(names, 'other.example')).toBe(NO_ANSWER)
    expect(clock.nextWakeAt).toBeNull()
  })
})
