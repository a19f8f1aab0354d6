import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { listenCommand } from '../../src/cli/listen.ts'
import { systemClock } from '../../src/clock.ts'
import { standardBody } from '../../src/model/payload.ts'
import { sampleEvent } from '../deliver/sample-event.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`

let stopping: AbortController
let ended: Promise<unknown>
let stdout: string
let stderr: string

beforeEach(() => {
  stopping = new AbortController()
  ended = Promise.resolve()
  stdout = ''
  stderr = ''
})

afterEach(async () => {
  stopping.abort()
  await ended
})

/** Starts `shipbell listen` with these arguments; resolves to its url once it says that it listens. */
async function listen(...args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const context: CommandContext = {
    stdout: { write: (text) => void (stdout += text) },
    stderr: {
      write: (text) => {
        stderr += text
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
        if (url !== null) resolve(url[0])
      },
    },
    env: {},
    cwd: '/',
    clock: systemClock,
    signal: stopping.signal,
    onHangUp: () => undefined,
    setExitCode: () => undefined,
  }
  const command = listenCommand(context)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  ended = command.parseAsync(['--port', '0', ...args], { from: 'user' }).catch(reject)
  return await promise
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers })
  await answer.body?.cancel()
  return answer.status
}

function signed(body: string, secret = SECRET): Record<string, string> {
  const at = new Date(systemClock.now())
  return {
    'webhook-id': 'evt_0001',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_0001', at, body),
  }
}

const BODY = standardBody(sampleEvent())

describe('shipbell listen', () => {
  it('verifies and prints each event in one line', async () => {
    const url = await listen('--secret', SECRET)
    expect(await post(`${url}/any/path`, BODY, signed(BODY))).toBe(200)
    expect(stdout).toBe(
      '2026-11-21T08:00:02.119Z  #1042  shipment.status_changed  acme  Shipment Ünïcode ☃ (SHP-1) went from draft to booked.  [verified]\n',
    )
    expect(stderr).toContain('verifying signatures')
  })

  it('answers 401 to a wrong signature and says so', async () => {
    const url = await listen('--secret', SECRET, '--respond', '204')
    expect(await post(url, BODY, signed(BODY, `whsec_${randomBytes(24).toString('base64')}`))).toBe(401)
    expect(await post(url, BODY)).toBe(401)
    expect(await post(url, `${BODY} `, signed(BODY))).toBe(401)
    expect(stdout.match(/\[WRONG SIGNATURE, answered 401\]\n/g)).toHaveLength(3)
    expect(await post(url, BODY, signed(BODY))).toBe(204)
  })

  it('says that it does not verify without a secret', async () => {
    const url = await listen()
    expect(await post(url, BODY)).toBe(200)
    expect(stderr).toContain('not verified')
    expect(stdout).toMatch(/\[unverified\]\n$/)
  })

  it('answers by script, the last status from then on', async () => {
    const url = await listen('--respond', '500,503,200')
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) statuses.push(await post(url, BODY))
    expect(statuses).toEqual([500, 503, 200, 200, 200])
    expect(stdout).toContain('[unverified, answered 500]')
  })

  it('prints bodies as they came with --json, one per line', async () => {
    const url = await listen('--json')
    await post(url, BODY)
    await post(url, JSON.stringify({ a: 'line\nbreak' }, null, 2))
    const [first, second, ...rest] = stdout.split('\n')
    expect(first).toBe(BODY)
    expect(JSON.parse(second ?? '')).toEqual({ a: 'line\nbreak' })
    expect(rest).toEqual([''])
  })

  it('keeps what is not an event out of --json', async () => {
    const url = await listen('--json')
    expect(await post(url, 'hello')).toBe(400)
    expect(stdout).toBe('')
    expect(stderr).toContain('not JSON: hello')
  })

  it('shows control characters of hostile fields as escapes, and cuts long ones', async () => {
    const url = await listen()
    const hostile = {
      type: 'a\u001b[2J\u0007b',
      account: 'c\r\nd',
      sequence: 1,
      subject: { id: '\u202egnp.exe' },
      data: { from: 'x'.repeat(5_000), to: '\u009b31m' },
    }
    await post(url, JSON.stringify(hostile))
    expect(stdout).toContain('a\\x1b[2J\\x07b  c\\x0d\\x0ad  \\u{202e}gnp.exe')
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stdout.length).toBeLessThan(600)
  })

  it.each([
    '{}',
    '[]',
    '1',
    '"text"',
    '{"data":{"changes":[]}}',
    '{"subject":null,"data":7}',
    '{"__proto__":{"type":"x"}}',
  ])('prints %s, which is no event, and goes on', async (body) => {
    const url = await listen()
    expect(await post(url, body)).toBe(200)
    expect(stdout).toBe('(no type)  [unverified]\n')
  })

  it('refuses bodies above 1 MiB and other methods', async () => {
    const url = await listen()
    expect(await post(url, `"${'x'.repeat(1024 * 1024)}"`)).toBe(413)
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(stdout).toBe('')
  })

  it('says when the port is in use', async () => {
    const url = await listen()
    const first = ended
    await expect(listen('--port', new URL(url).port)).rejects.toMatchObject({ code: 'port_in_use' })
    stopping.abort()
    await first
  })

  it.each([
    [['--port', '70000'], /port/],
    [['--port', 'x'], /port/],
    [['--secret', 'whsec_'], /whsec_/],
    [['--respond', '200,abc'], /Statuses/],
    [['--respond', '99'], /Statuses/],
  ])('refuses %j', async (args, message) => {
    await expect(listen(...args)).rejects.toThrow(message)
  })
})
