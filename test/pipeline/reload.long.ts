import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { stopped, WAIT, WAIT_BY_COMMAND } from './workplace.ts'

/** A receiver that is down while files are written and reloaded is waited for: a busy machine may take long over that. */
const RETRIES = ['100ms', '200ms', '500ms', ...Array.from({ length: 60 }, () => '1s')]

const OTHER_SECRET = `whsec_${Buffer.from('another secret of 32 bytes long!').toString('base64')}`

interface Settings {
  readonly accounts: Readonly<Record<string, string>>
  readonly subscriptions: Readonly<Record<string, string>>
  readonly more?: string
}

/** Accounts by the address of their platform, subscriptions by their receiver's (and what follows it). */
function configure(work: Workplace, { accounts, subscriptions, more = 'http: false' }: Settings): void {
  const lines = [
    'accounts:',
    ...Object.entries(accounts).map(
      ([name, url]) =>
        `  ${name}: { base_url: "${url}", api_key: ${API_KEY}, budget: { requests: 1000, per: 1s },` +
        ' watch: { shipments: { every: 50ms } } }',
    ),
    'subscriptions:',
    ...Object.entries(subscriptions).map(
      ([name, url]) =>
        `  ${name}: { url: ${url}, events: ["*", "account.*"]${url.includes('secret:') ? '' : `, secret: ${SECRET}`} }`,
    ),
    `delivery: { allow_networks: [127.0.0.0/8], retry: [${RETRIES.join(', ')}] }`,
    more,
  ]
  work.write('shipbell.yaml', lines.join('\n'))
}

function show(platform: LoopbackPlatform, name: string): void {
  platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked', name }]
}

/** What a receiver was told the shipment's name became, in order. */
function names({ events }: LoopbackReceiver): readonly unknown[] {
  return events.filter(({ type }) => type === 'shipment.updated').map(({ data }) => nameIn(data))
}

function nameIn(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data)).object.name
}

async function emitted(receiver: LoopbackReceiver, ...expected: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(names(receiver)).toEqual(expected), WAIT)
}

async function baselined(receiver: LoopbackReceiver): Promise<void> {
  await vi.waitFor(() => expect(receiver.events.map(({ type }) => type)).toContain('account.baseline_completed'), WAIT)
}

/** Reloads at once and waits for the line that says what came of it; the file's change may have been noticed before. */
async function hangUp(daemon: RunningShipbell, line: string): Promise<void> {
  const before = count(daemon, line)
  daemon.kill('SIGHUP')
  await daemon.finds(() => (count(daemon, line) > before ? line : null), line)
}

function count(daemon: RunningShipbell, line: string): number {
  return daemon.stderr.split(`"msg":"${line}"`).length - 1
}

describe.concurrent('a reload', () => {
  test('holds the rows of a subscription that is gone, releases them when it is back, and starts a new one with the next event', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    await using tms = await LoopbackReceiver.start()
    await using late = await LoopbackReceiver.start()
    const accounts = { acme: platform.url }
    configure(work, { accounts, subscriptions: { erp: erp.url, tms: tms.url } })
    show(platform, 'zero')
    const daemon = work.start('run')
    await baselined(erp)
    await baselined(tms)
    show(platform, 'one')
    await emitted(tms, 'one')
    tms.answer = () => 503
    show(platform, 'two')
    await emitted(erp, 'one', 'two')
    configure(work, { accounts, subscriptions: { erp: erp.url, late: late.url } })
    await hangUp(daemon, 'config.reloaded')
    show(platform, 'three')
    await emitted(erp, 'one', 'two', 'three')
    await emitted(late, 'three')
    tms.answer = () => 200
    configure(work, { accounts, subscriptions: { erp: erp.url, late: late.url, tms: tms.url } })
    await hangUp(daemon, 'config.reloaded')
    await emitted(tms, 'one', 'two', 'three')
    show(platform, 'four')
    await emitted(tms, 'one', 'two', 'three', 'four')
    await emitted(erp, 'one', 'two', 'three', 'four')
    await emitted(late, 'three', 'four')
    for (const receiver of [erp, tms, late]) {
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length)
    }
    await stopped(daemon)
  })

  test.each([200, 410])(
    'lets an attempt under way end: its %i counts for the address it was sent to',
    async (status) => {
      using work = new Workplace()
      await using platform = await LoopbackPlatform.start()
      await using before = await LoopbackReceiver.start()
      await using after = await LoopbackReceiver.start()
      const accounts = { acme: platform.url }
      configure(work, { accounts, subscriptions: { erp: before.url } })
      show(platform, 'zero')
      const daemon = work.start('run')
      await baselined(before)
      const { promise, resolve } = Promise.withResolvers<number>()
      before.answer = async () => promise
      show(platform, 'one')
      await vi.waitFor(() => expect(before.asked).toBe(2), WAIT)
      configure(work, { accounts, subscriptions: { erp: after.url } })
      await hangUp(daemon, 'config.reloaded')
      show(platform, 'two')
      await vi.waitFor(() => expect(names(after)).toContain('two'), WAIT)
      resolve(status)
      await (status === 200 ? emitted(before, 'one') : emitted(after, 'one', 'two'))
      show(platform, 'three')
      await emitted(after, ...(status === 200 ? [] : ['one']), 'two', 'three')
      await stopped(daemon)
    },
  )

  test('moves from one secret to another without failing a receiver that knows either', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    const accounts = { acme: platform.url }
    const signedWith = (secret: string): Settings => ({
      accounts,
      subscriptions: { erp: `"${erp.url}", secret: ${secret}` },
    })
    configure(work, signedWith(SECRET))
    show(platform, 'zero')
    const daemon = work.start('run')
    await baselined(erp)
    show(platform, 'one')
    await emitted(erp, 'one')
    configure(work, signedWith(`["${OTHER_SECRET}", "${SECRET}"]`))
    await hangUp(daemon, 'config.reloaded')
    show(platform, 'two')
    await emitted(erp, 'one', 'two')
    erp.secret = OTHER_SECRET
    show(platform, 'three')
    await emitted(erp, 'one', 'two', 'three')
    configure(work, signedWith(OTHER_SECRET))
    await hangUp(daemon, 'config.reloaded')
    show(platform, 'four')
    await emitted(erp, 'one', 'two', 'three', 'four')
    expect(erp.problems).toEqual([])
    await stopped(daemon)
  })

  test('happens by itself when a file that the configuration was read from changes', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    const subscriptions = { erp: `"${erp.url}", secret: "\${file:secret.txt}"` }
    work.write('secret.txt', OTHER_SECRET)
    configure(work, { accounts: { acme: platform.url }, subscriptions })
    show(platform, 'zero')
    const daemon = work.start('run')
    await vi.waitFor(() => expect(erp.problems.length).toBeGreaterThan(0), WAIT)
    work.write('secret.txt', SECRET)
    await daemon.prints(/config\.reloaded/)
    show(platform, 'one')
    await emitted(erp, 'one')
    await stopped(daemon)
  })

  test('of a bad file is refused with every problem and changes nothing', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    configure(work, { accounts: { acme: platform.url }, subscriptions: { erp: erp.url } })
    show(platform, 'zero')
    const daemon = work.start('run')
    await baselined(erp)
    work.write('shipbell.yaml', 'accounts: { acme: { base_url: 7 } }\nsubscriptions: {}\nlog: { level: loud }\n')
    await hangUp(daemon, 'config.rejected')
    expect(daemon.stderr).toMatch(/shipbell\.yaml:1:\d+: `base_url`/)
    expect(daemon.stderr).toMatch(/shipbell\.yaml:3:\d+: /)
    await vi.waitFor(async () => {
      const { code, stdout } = await work.run('status')
      expect([code, stdout]).toEqual([1, expect.stringContaining('shipbell.yaml was changed and cannot be used')])
    }, WAIT_BY_COMMAND)
    show(platform, 'one')
    await emitted(erp, 'one')
    configure(work, { accounts: { acme: platform.url }, subscriptions: { erp: erp.url } })
    await hangUp(daemon, 'config.unchanged')
    await vi.waitFor(async () => expect((await work.run('status')).code).toBe(0), WAIT_BY_COMMAND)
    await stopped(daemon)
  })

  test('starts and stops accounts; one that comes back is known still', async () => {
    using work = new Workplace()
    await using acme = await LoopbackPlatform.start()
    await using bolt = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    const subscriptions = { erp: erp.url }
    configure(work, { accounts: { acme: acme.url }, subscriptions })
    show(acme, 'zero')
    show(bolt, 'b0')
    const daemon = work.start('run')
    await baselined(erp)
    configure(work, { accounts: { acme: acme.url, bolt: bolt.url }, subscriptions })
    await hangUp(daemon, 'config.reloaded')
    await vi.waitFor(() => expect(erp.events.filter(({ account }) => account === 'bolt')).toHaveLength(1), WAIT)
    show(bolt, 'b1')
    await emitted(erp, 'b1')
    configure(work, { accounts: { acme: acme.url }, subscriptions })
    await hangUp(daemon, 'config.reloaded')
    const asked = bolt.requests
    show(bolt, 'b2')
    show(acme, 'one')
    await vi.waitFor(() => expect(names(erp)).toContain('one'), WAIT)
    expect(bolt.requests).toBe(asked)
    configure(work, { accounts: { acme: acme.url, bolt: bolt.url }, subscriptions })
    await hangUp(daemon, 'config.reloaded')
    await vi.waitFor(() => expect(names(erp)).toContain('b2'), WAIT)
    expect(erp.events.filter(({ type }) => type === 'account.baseline_completed')).toHaveLength(2)
    await stopped(daemon)
  })

  test('says what takes a restart, and puts the rest in force', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    const settings = { accounts: { acme: platform.url }, subscriptions: { erp: erp.url } }
    configure(work, { ...settings, more: 'http: { listen: "127.0.0.1:0" }' })
    show(platform, 'zero')
    const daemon = work.start('run')
    const [, url] = await daemon.prints(/admin interface on (\S+)/)
    const more = 'http: false\nstorage: { path: elsewhere.db }\nlog: { level: debug }'
    configure(work, { ...settings, more })
    await hangUp(daemon, 'config.reloaded')
    await daemon.prints(/"keys":\["storage","http"\],"msg":"config\.restart_needed"/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await vi.waitFor(async () => {
      const status = await (await fetch(`${url}/api/v1/status`)).json()
      expect(status).toMatchObject({ configuration: [{ restart_keys: ['storage', 'http'] }] })
    }, WAIT)
    await stopped(daemon)
  })

  test('follows included files: one that comes, changes or goes; a bad one changes nothing', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    await using erp = await LoopbackReceiver.start()
    await using late = await LoopbackReceiver.start()
    mkdirSync(path.join(work.folder, 'conf.d'))
    configure(work, {
      accounts: { acme: platform.url },
      subscriptions: { erp: erp.url },
      more: 'http: false\ninclude: [conf.d/*.yaml]',
    })
    const part = `subscriptions: { late: { url: "${late.url}", secret: ${SECRET}, events: [shipment.*] } }`
    show(platform, 'zero')
    const daemon = work.start('run')
    await baselined(erp)
    work.write('conf.d/late.yaml', part)
    await daemon.prints(/config\.reloaded/)
    show(platform, 'one')
    await emitted(late, 'one')
    work.write('conf.d/bad.yaml', 'subscriptions: { late: {} }')
    await hangUp(daemon, 'config.rejected')
    expect(daemon.stderr).toContain(
      'conf.d/late.yaml:1:18: the subscription `late` stands here and at conf.d/bad.yaml:1:18',
    )
    rmSync(path.join(work.folder, 'conf.d/bad.yaml'))
    show(platform, 'two')
    await emitted(late, 'one', 'two')
    rmSync(path.join(work.folder, 'conf.d/late.yaml'))
    await hangUp(daemon, 'config.reloaded')
    show(platform, 'three')
    await emitted(erp, 'one', 'two', 'three')
    work.write('conf.d/late.yaml', part)
    await hangUp(daemon, 'config.reloaded')
    show(platform, 'four')
    await emitted(erp, 'one', 'two', 'three', 'four')
    await emitted(late, 'one', 'two', 'three', 'four')
    await stopped(daemon)
  })
})
