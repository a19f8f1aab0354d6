import { expect, onTestFinished, test } from 'vitest'
import { Ping } from '../../src/app/ping.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { startHttpServer } from '../../src/http-server.ts'
import { createLogger } from '../../src/log.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ofTest } from '../support/of-test.ts'

const SECRET_PATH = '/0b1c6a3e-93a4-4a5e-9f0e-2d3c4b5a6978'

/** A configuration without accounts. */
function configured(ping: string) {
  const cwd = scratchFolder({ 'shipbell.yaml': `accounts: {}\n${ping}` })
  return requireConfig('shipbell.yaml', { cwd, env: {} })
}

/** A ping to a server on loopback, whose answers and time a test controls. */
async function start() {
  const state = { answer: (): Response | Promise<Response> => new Response('OK'), isReady: true }
  const asked: string[] = []
  const server = ofTest(
    await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      purpose: 'The other one',
      remedy: '',
      fetch: async ({ method, url }) => {
        asked.push(`${method} ${new URL(url).pathname}`)
        return state.answer()
      },
    }),
  )
  const configure = (every: string) => configured(`ping: { url: '${server.url}${SECRET_PATH}', every: ${every} }`)
  const live = new LiveConfig(configure('1m'))
  const clock = new FakeClock(Date.UTC(2026, 10, 28))
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = createLogger({ level: 'debug', pretty: false, colour: false, secrets: () => live.secrets, write })
  const ping = new Ping({ live, clock, log, isReady: async () => state.isReady })
  const stopping = new AbortController()
  const ended = ping.run(stopping.signal)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  return { asked, clock, configure, lines, live, none: () => configured(''), ping, state, stop }
}

const said = (lines: readonly string[], what: string): number => lines.filter((line) => line.includes(what)).length

test('a ping goes out every so often while the daemon is ready, and none while it is not', async () => {
  const { asked, clock, lines, state } = await start()
  await expect.poll(() => said(lines, 'ping.sent')).toBe(1)
  expect(asked).toEqual([`GET ${SECRET_PATH}`])
  await clock.advance(59_000)
  expect(asked).toHaveLength(1)
  state.isReady = false
  await clock.advance(300_000)
  expect(asked).toHaveLength(1)
  state.isReady = true
  await clock.advance(5_000)
  await expect.poll(() => said(lines, 'ping.sent')).toBe(2)
})

test('what is answered is logged where it became another, and no line holds the address', async () => {
  const { asked, clock, lines, state } = await start()
  await expect.poll(() => said(lines, 'ping.sent')).toBe(1)
  state.answer = () => new Response(null, { status: 404 })
  for (const more of [2, 3]) {
    await clock.advance(60_000)
    await expect.poll(() => asked).toHaveLength(more)
  }
  await expect.poll(() => said(lines, 'It answered 404.')).toBe(1)
  state.answer = () => new Response('OK')
  await clock.advance(60_000)
  await expect.poll(() => said(lines, 'ping.recovered')).toBe(1)
  expect(said(lines, SECRET_PATH.slice(1))).toBe(0)
})

test('one that hangs is cut after ten seconds, or when the daemon stops', async () => {
  const { asked, clock, lines, state, stop } = await start()
  await expect.poll(() => said(lines, 'ping.sent')).toBe(1)
  state.answer = async () => new Promise<Response>(() => undefined)
  await clock.advance(60_000)
  await expect.poll(() => asked).toHaveLength(2)
  await clock.advance(10_000)
  await expect.poll(() => said(lines, 'ping.failed')).toBe(1)
  await clock.advance(50_000)
  await expect.poll(() => asked).toHaveLength(3)
  await stop()
})

test('a reload says at once whom to tell, and how often', async () => {
  const { asked, clock, configure, lines, live, none, ping } = await start()
  await expect.poll(() => said(lines, 'ping.sent')).toBe(1)
  live.replace(none())
  ping.reloaded()
  await clock.advance(3_600_000)
  expect(asked).toHaveLength(1)
  live.replace(configure('1h'))
  ping.reloaded()
  await expect.poll(() => said(lines, 'ping.sent')).toBe(2)
})
