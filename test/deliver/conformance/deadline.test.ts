import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '../../../src/deliver/channels/channel.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { sampleBatch } from '../sample-event.ts'
import { hang, type ScriptedReceiver, status } from '../scripted-receiver.ts'
import { NEVER, scripted, senderTo } from './sending.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** A second exchange over the same loopback ends after the first one's bytes have arrived. */
async function bytesArrive(): Promise<void> {
  const other = await scripted()
  for (let round = 0; round < 3; round += 1) await senderTo(other.url).send(sampleBatch(), NEVER)
}

/** What comes of an attempt with this answer when its 15 s have passed. */
async function whenTimeIsUp(answer: ScriptedReceiver['answer']): Promise<{ outcome: SendOutcome; url: string }> {
  const clock = new FakeClock()
  const receiver = await scripted(answer)
  const outcome = senderTo(receiver.url, {}, { clock }).send(sampleBatch(), NEVER)
  await receiver.received(1)
  await bytesArrive()
  await clock.advance(14_999)
  expect(await Promise.race([outcome, nextTurn('under way')])).toBe('under way')
  await clock.advance(1)
  return { outcome: await outcome, url: receiver.url }
}

const INTERIM = 'HTTP/1.1 102 Processing\r\n\r\n'

const raw =
  (text: string): ScriptedReceiver['answer'] =>
  ({ response }) =>
    response.socket?.write(text)

describe('one deadline covers connect, send and the whole answer', () => {
  it.each<[string, ScriptedReceiver['answer']]>([
    ['says nothing', hang],
    ['drips before the status', raw('HTTP/1.1')],
    ['drips within the status line', raw('HTTP/1.1 200 OK')],
    ['says only that it goes on', raw(INTERIM.repeat(100))],
  ])('an endpoint that %s has failed', async (_, answer) => {
    const { outcome, url } = await whenTimeIsUp(answer)
    const error = `${url} did not answer within 15s`
    expect(outcome).toEqual({ kind: 'failed', status: null, answer: null, error, retryAfterMs: null })
  })

  it.each<[number, SendOutcome['kind']]>([
    [200, 'delivered'],
    [299, 'delivered'],
    [302, 'failed'],
    [500, 'failed'],
    [410, 'gone'],
  ])('a body that drips after %i is cut, and the status decides: %s', async (code, kind) => {
    const { outcome } = await whenTimeIsUp(({ response }) => {
      response.writeHead(code)
      response.write('drip')
    })
    expect(outcome).toMatchObject({ kind, status: code, answer: 'drip' })
  })

  it.each<[string, SendOutcome['kind']]>([
    ['200 OK', 'delivered'],
    ['503 Busy', 'failed'],
    ['410 Gone', 'gone'],
  ])('headers that drip after %s are cut, and the status line decides: %s', async (line, kind) => {
    const { outcome } = await whenTimeIsUp(raw(`HTTP/1.1 ${line}\r\nX-Slow: `))
    expect(outcome).toMatchObject({ kind, status: Number(line.slice(0, 3)), answer: null })
  })

  it('a connection that never opens has failed, and nothing is sent later', async () => {
    const clock = new FakeClock()
    const receiver = await scripted()
    const address = Promise.withResolvers<readonly { address: string; family: number }[]>()
    const url = `http://slow-dns.example:${receiver.port}`
    const outcome = senderTo(url, {}, { clock, resolve: async () => await address.promise }).send(sampleBatch(), NEVER)
    await clock.advance(15_000)
    expect(await outcome).toMatchObject({ kind: 'failed', error: `${url} did not answer within 15s` })
    address.resolve([{ address: '127.0.0.1', family: 4 }])
    await bytesArrive()
    expect(receiver.requests).toHaveLength(0)
  })

  it('leaves no timer behind', async () => {
    const clock = new FakeClock()
    const receiver = await scripted()
    await senderTo(receiver.url, {}, { clock }).send(sampleBatch(), NEVER)
    expect(clock.nextWakeAt).toBeNull()
  })
})

/** Writes until the other side hangs up or 1 GiB is out; resolves to the bytes that were taken. */
function flood(head: string): { readonly answer: ScriptedReceiver['answer']; readonly written: () => number } {
  const chunk = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(64))
  let written = 0
  const answer: ScriptedReceiver['answer'] = ({ response: { socket } }) => {
    if (socket === null) return
    socket.on('error', () => undefined)
    socket.write(head)
    const pump = (): void => {
      while (!socket.destroyed && written < GIB) {
        written += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', pump)
      }
    }
    pump()
  }
  return { answer, written: () => written }
}

describe('an answer without end', () => {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${GIB}\r\n\r\n`
  it.each<[string, string, Partial<SendOutcome>]>([
    ['of 1 GiB', head, { kind: 'delivered', status: 200 }],
    ['that failed, of 1 GiB', head.replace('200 OK', '500 No'), { kind: 'failed', status: 500 }],
    ['of 1 GiB of headers', 'HTTP/1.1 200 OK\r\nX-Flood: ', { kind: 'delivered', status: 200 }],
    ['of 1 GiB of nothing sensible', 'SSH-2.0-OpenSSH_9.9\r\n', { kind: 'failed', status: null }],
  ])('%s is dropped after its beginning', async (_, start, expected) => {
    const { answer, written } = flood(start)
    const receiver = await scripted(answer)
    const closed = Promise.withResolvers<void>()
    receiver.answer = (request) => {
      request.response.socket?.once('close', () => closed.resolve())
      answer(request)
    }
    const clock = new FakeClock()
    const before = process.memoryUsage().arrayBuffers
    const outcome = await senderTo(receiver.url, {}, { clock }).send(sampleBatch(), NEVER)
    expect(outcome).toMatchObject(expected)
    if (outcome.kind !== 'cut') expect((outcome.answer ?? '').length).toBeLessThanOrEqual(16 * 1024)
    await closed.promise
    expect(written()).toBeLessThan(64 * MIB)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MIB)
  })

  it('of interim answers is dropped too', async () => {
    const closed = Promise.withResolvers<void>()
    const receiver = await scripted(({ response: { socket } }) => {
      socket?.once('close', () => closed.resolve())
      socket?.write(INTERIM.repeat(101))
    })
    const clock = new FakeClock()
    const outcome = await senderTo(receiver.url, {}, { clock }).send(sampleBatch(), NEVER)
    const error = `Sending to ${receiver.url} failed: more than 100 interim answers (1xx) came and no final one`
    expect(outcome).toMatchObject({ kind: 'failed', status: null, error })
    await closed.promise
  })

  it('costs no slot: the next attempt goes through', async () => {
    const receiver = await scripted(status(200, {}, 'y'.repeat(5_000_000)))
    const sender = senderTo(receiver.url, { concurrency: 1 })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    }
  })
})

describe('a shutdown', () => {
  it('cuts an attempt without calling it failed', async () => {
    const receiver = await scripted(hang)
    const shutdown = new AbortController()
    const outcome = senderTo(receiver.url).send(sampleBatch(), shutdown.signal)
    await receiver.received(1)
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
  })

  it('during the body of a 2xx changes nothing: it is delivered', async () => {
    const receiver = await scripted(({ response }) => {
      response.writeHead(202)
      response.write('…')
    })
    const shutdown = new AbortController()
    const outcome = senderTo(receiver.url).send(sampleBatch(), shutdown.signal)
    await receiver.received(1)
    await bytesArrive()
    shutdown.abort()
    expect(await outcome).toMatchObject({ kind: 'delivered', status: 202 })
  })

  it.each(['http', 'https'])('leaves no %s connection behind that was still being made', async (scheme) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const shutdown = new AbortController()
    const sender = senderTo(`${scheme}://127.0.0.1:${port}`, { timeoutMs: 3_600_000 })
    const outcome = sender.send(sampleBatch(), shutdown.signal)
    const [socket]: unknown[] = await once(silent, 'connection')
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
    await sender[Symbol.asyncDispose]()
    if (socket instanceof Socket) await once(socket.on('error', () => undefined).resume(), 'close')
    silent.close()
  })

  it('that has begun sends nothing more', async () => {
    const receiver = await scripted()
    expect(await senderTo(receiver.url).send(sampleBatch(), AbortSignal.abort())).toEqual({ kind: 'cut' })
    await bytesArrive()
    expect(receiver.requests).toHaveLength(0)
  })
})

describe('an endpoint that closes', () => {
  it('in the middle of a body has answered as far as it came', async () => {
    const receiver = await scripted(({ response }) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.socket?.destroy())
    })
    expect(await senderTo(receiver.url).send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered', status: 200 })
  })

  it('a kept connection between two attempts costs no delivery', async () => {
    const receiver = await scripted()
    const sender = senderTo(receiver.url, { concurrency: 1 })
    await sender.send(sampleBatch(), NEVER)
    const [first] = receiver.requests
    const { socket } = first?.response.req ?? {}
    if (socket !== undefined) {
      socket.destroy()
      if (!socket.closed) await once(socket, 'close')
    }
    await bytesArrive()
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
  })
})
