import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { LoopbackPlatform, API_KEY } from '../support/loopback-platform.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Workplace, type Ended } from '../support/shipbell.ts'

const LIES = [
  () => new Response('<html>Down for maintenance</html>', { headers: { 'content-type': 'text/html' } }),
  () => new Response('[{"platform_shipment_id":"SHP-1","sta', { headers: { 'content-type': 'application/json' } }),
  () => Response.json({ shipments: [] }),
  () => Response.json({ message: 'oops' }, { status: 500 }),
  () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
]

/** Resolves when the platform has been asked again: by then what the request before brought has been dealt with. */
async function answered(platform: LoopbackPlatform): Promise<void> {
  const before = platform.requests
  await vi.waitFor(() => expect(platform.requests).toBeGreaterThan(before), { timeout: 30_000, interval: 10 })
}

interface Wish {
  readonly every?: string
  readonly platform?: string
  readonly apiKey?: string
  readonly http?: string
  readonly storage?: string
}

function configure(work: Workplace, wish: Wish = {}): void {
  const {
    platform = 'http://127.0.0.1:9',
    apiKey = API_KEY,
    http = 'false',
    storage = 'shipbell.db',
    every = '1s',
  } = wish
  work.write(
    'shipbell.yaml',
    `accounts:
  acme:
    base_url: ${platform}
    api_key: ${apiKey}
    watch: { shipments: { every: ${every} } }
    budget: { requests: 1000, per: 1s }
subscriptions:
  erp: { url: "https://erp.example", secret: ${SECRET}, events: ["shipment.*"] }
http: ${http}
storage: { path: ${storage} }
`,
  )
}

/** One or few plain sentences, no stack trace, no secret. */
function expectPlain({ stdout, stderr }: Ended): void {
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at |Error:/)
  expect(`${stdout}${stderr}`).not.toContain(API_KEY)
}

describe.concurrent('bad input', () => {
  test('a broken configuration: every problem with its place, exit 2', async () => {
    using work = new Workplace()
    work.write('shipbell.yaml', 'accounts:\n  acme:\n    base_url: nowhere\n    api_kee: x\nsubscriptions: 5\n')
    for (const command of ['run', 'check']) {
      const ended = await work.run(command)
      expect(ended.code, command).toBe(2)
      expect(`${ended.stdout}${ended.stderr}`).toMatch(/^shipbell\.yaml:4:5: .*api_key/m)
      expectPlain(ended)
    }
  })

  test('an unreachable platform: once exits 3 and says which host', async () => {
    using work = new Workplace()
    configure(work)
    const ended = await work.run('once')
    expect(ended.code).toBe(3)
    expect(ended.stdout).toMatch(/acme shipments: incomplete: .*127\.0\.0\.1:9/)
    expectPlain(ended)
  })

  test('a platform that lies in five ways: nothing is lost, nothing is invented', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
    configure(work, { platform: platform.url, every: '20ms' })
    const daemon = work.start('run')
    await daemon.prints(/poll\.completed/)
    for (const lie of LIES) {
      platform.replace = lie
      await answered(platform)
      platform.replace = () => null
      await answered(platform)
    }
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
    await answered(platform)
    await answered(platform)
    daemon.kill('SIGTERM')
    expectPlain(await daemon.ended)
    const events = await work.run('events', 'list', '--json')
    const rung: { type: string }[] = JSON.parse(events.stdout)
    expect(rung.map(({ type }) => type)).toEqual(['account.baseline_completed', 'shipment.status_changed'])
  })

  test('a wrong key: exit 3, rung once, said plainly', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    configure(work, { platform: platform.url, apiKey: 'wrong-key-0123456789' })
    const first = await work.run('once')
    expect(first.code).toBe(3)
    expect(first.stdout).toMatch(/401|key/)
    expect(`${first.stdout}${first.stderr}`).not.toContain('wrong-key-0123456789')
    await work.run('once')
    const events = await work.run('events', 'list', '--json')
    const rung: { type: string }[] = JSON.parse(events.stdout)
    expect(rung.map(({ type }) => type)).toEqual(['account.unauthorized'])
  })

  test('a corrupt store: exit 3 with the file named', async () => {
    using work = new Workplace()
    configure(work)
    work.write('shipbell.db', 'this is not a database, but long enough to be looked at '.repeat(100))
    for (const command of [['run'], ['status']]) {
      const ended = await work.run(...command)
      expect(ended.code, command.join(' ')).toBe(3)
      expect(ended.stderr).toContain('shipbell.db')
      expectPlain(ended)
    }
  })

  test('a store in a place that is no place: exit 3', async () => {
    using work = new Workplace()
    mkdirSync(path.join(work.folder, 'folder.db'))
    for (const storage of ['missing/shipbell.db', 'folder.db']) {
      configure(work, { storage })
      const ended = await work.run('once')
      expect(ended.code, storage).toBe(3)
      expect(ended.stderr.trim().split('\n'), storage).toHaveLength(1)
      expectPlain(ended)
    }
  })

  test('a port in use: exit 3 naming address and key', async () => {
    using work = new Workplace()
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : 0
    configure(work, { http: `{ listen: "127.0.0.1:${port}" }` })
    const ended = await work.run('run')
    taken.close()
    expect(ended.code).toBe(3)
    expect(ended.stderr).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}.*http\\.listen`))
    expectPlain(ended)
  })

  test('a folder that cannot be made: init says so and ends', async () => {
    using work = new Workplace()
    const ended = await work.run('init', '/proc/shipbell')
    expect(ended.code).toBe(2)
    expectPlain(ended)
  })

  test('a command that is not there, and one that is used wrongly: exit 2', async () => {
    using work = new Workplace()
    expect((await work.run('frobnicate')).code).toBe(2)
    const copy = await work.run('store', 'copy')
    expect(copy).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--to') })
  })
})
