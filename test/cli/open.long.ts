import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCommand } from '../../src/cli/open.ts'
import { systemClock } from '../../src/clock.ts'
import { LoginLinks } from '../../src/serve/access/login-links.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { runCommand } from './run-command.ts'

const TOKEN = 'an-admin-token-of-some-length'

function configuration(http: string): string {
  return `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${KEY:-none}" }
http: ${http}
log: { level: error }
`
}

describe('shipbell open', () => {
  let place: Workplace
  let daemon: RunningShipbell
  let desk: string
  beforeAll(async () => {
    place = new Workplace()
    place.environment = { SHIPBELL_TOKEN: TOKEN }
    place.write('shipbell.yaml', configuration('{ listen: "127.0.0.1:0" }'))
    daemon = place.start('run')
    desk = (await daemon.prints(/admin interface on (\S+)/))[1] ?? ''
  })
  afterAll(() => place[Symbol.dispose]())

  async function link(): Promise<string> {
    const { code, stdout, stderr } = await place.run('open')
    expect([code, stderr]).toEqual([0, ''])
    return stdout.trimEnd()
  }

  it('prints an address that signs a browser in, once, and holds no token', async () => {
    const address = await link()
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\/link\?code=[\w-]{43}$/)
    expect(address.startsWith(`${desk}/`)).toBe(true)
    const first = await fetch(address, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
    const cookie = first.headers.getSetCookie().map((each) => each.split(';')[0])
    const page = { accept: 'text/html' }
    expect(
      (await fetch(`${desk}/`, { headers: { ...page, cookie: cookie.join('; ') }, redirect: 'manual' })).status,
    ).not.toBe(303)
    expect((await fetch(`${desk}/`, { headers: page, redirect: 'manual' })).status).toBe(303)
    const again = await fetch(address, { redirect: 'manual' })
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []])
    expect(await again.text()).toContain('used already')
  })

  it('gives a link to nobody without the token, nor for a cookie', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${desk}/login/link`, { method: 'POST', headers })).status
    const signedIn = await fetch(await link(), { redirect: 'manual' })
    const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0])
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await ask({ cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' })).toBe(401)
    expect(await ask({ authorization: `Bearer ${TOKEN}` })).toBe(200)
    expect((await fetch(`${desk}/login/link?code=`, { redirect: 'manual' })).status).toBe(401)
  })

  it('gives the browser of a person at a terminal the address', async () => {
    const opened = path.join(place.folder, 'opened')
    const browser = place.write('browser', `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`)
    chmodSync(browser, 0o755)
    const surroundings = { cwd: place.folder, isTTY: true, clock: systemClock }
    const env = { SHIPBELL_TOKEN: TOKEN, BROWSER: browser }
    expect(await runCommand(openCommand, [], { ...surroundings, env })).toEqual({
      exitCode: 0,
      stdout: `Opened ${desk}/ in the browser.\n`,
      stderr: '',
    })
    await expect.poll(() => existsSync(opened)).toBe(true)
    expect(readFileSync(opened, 'utf8')).toMatch(/\/login\/link\?code=/)
    const none = { SHIPBELL_TOKEN: TOKEN, BROWSER: '/no/such/browser' }
    expect(await runCommand(openCommand, [], { ...surroundings, env: none })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('/login/link?code='),
    })
  })

  it('says what is wrong where the token is another, or there is no interface or no daemon', async () => {
    const surroundings = { cwd: place.folder, clock: systemClock }
    expect(await runCommand(openCommand, [], { ...surroundings, env: { SHIPBELL_TOKEN: 'another' } })).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('it knows another token'),
    })
    place.write('none.yaml', configuration('false'))
    expect(await runCommand(openCommand, ['-c', 'none.yaml'], surroundings)).toMatchObject({ exitCode: 2 })
    place.write('elsewhere.yaml', `${configuration('{}')}storage: { path: elsewhere.db }\n`)
    expect(await runCommand(openCommand, ['-c', 'elsewhere.yaml'], surroundings)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('No daemon runs'),
    })
  })

  it('says the port to its owner alone, and no longer than the daemon runs', async () => {
    const file = path.join(place.folder, 'shipbell.db.port')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pid: daemon.pid, port: Number(new URL(desk).port) })
    daemon.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })
})

describe('a code that signs in', () => {
  it('ends after a minute, and when many others were asked for', async () => {
    const clock = new FakeClock()
    const links = new LoginLinks(clock)
    const [early, late] = [links.issue('t'), links.issue('t')]
    await clock.advance(59_999)
    expect(links.redeem(early)).toBe('t')
    expect(links.redeem(early)).toBeNull()
    await clock.advance(1)
    expect(links.redeem(late)).toBeNull()
    const forgotten = links.issue('t')
    for (let asked = 0; asked < 100; asked += 1) links.issue('t')
    expect(links.redeem(forgotten)).toBeNull()
  })
})
