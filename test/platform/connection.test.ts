import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ShipbellError } from '../../src/errors.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { API_KEY, clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback, rawLoopback, type Loopback } from './loopback.ts'

const disposables: AsyncDisposable[] = []

/** Ends with the test, the last one first. */
function owned<T extends AsyncDisposable>(thing: T): T {
  disposables.push(thing)
  return thing
}

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const thing of disposables.splice(0).toReversed()) await thing[Symbol.asyncDispose]()
})

const PAGE = JSON.stringify([{ platform_shipment_id: 'SHP-1' }])

describe('the deadline', () => {
  test('ends a request whose answer never begins', async () => {
    const server = owned(await loopback(() => {}))
    const outcome = await owned(clientOf(server.url, { timeoutMs: 50 })).list('shipment', FIRST_PAGE)
    expect(outcome).toMatchObject({
      kind: 'unreachable',
      reason: `127.0.0.1:${server.port} did not complete an answer to GET /v1/shipments?skip=0&take=100 within 50ms.`,
      exchange: { status: null, bytes: 0 },
    })
  })

  test('passes by the clock that is given', async () => {
    const reached = Promise.withResolvers<void>()
    const server = owned(await loopback(() => reached.resolve()))
    const clock = new FakeClock()
    const request = owned(clientOf(server.url, { clock, timeoutMs: 30_000 })).list('shipment', FIRST_PAGE)
    await reached.promise
    await clock.advance(30_000)
    expect(await request).toMatchObject({ reason: expect.stringContaining('did not complete an answer') })
  })

  test('ends an answer whose body stalls', async () => {
    const server = owned(await loopback((_, response) => response.write('[')))
    const outcome = await owned(clientOf(server.url, { timeoutMs: 250 })).list('shipment', FIRST_PAGE)
    expect(outcome).toMatchObject({ kind: 'unreachable', exchange: { status: 200, bytes: 1 } })
  })

  test('ends an answer whose body drips', async () => {
    const server = owned(await loopback((_, response) => drip(response)))
    const outcome = await owned(clientOf(server.url, { timeoutMs: 250 })).list('shipment', FIRST_PAGE)
    expect(outcome).toMatchObject({ kind: 'unreachable', exchange: { status: 200 } })
  })

  test('ends a connection that is never established', async () => {
    const server = owned(await rawLoopback(() => {}))
    const client = owned(clientOf(`https://127.0.0.1:${server.port}`, { timeoutMs: 50 }))
    expect(await client.list('shipment', FIRST_PAGE)).toMatchObject({ kind: 'unreachable', exchange: { status: null } })
  })

  test('does not take the status away from an answer that only its status decides', async () => {
    const server = owned(
      await loopback((_, response) => response.writeHead(429, { 'retry-after': '7' }).write('slow down')),
    )
    expect(await owned(clientOf(server.url, { timeoutMs: 250 })).list('shipment', FIRST_PAGE)).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 7_000,
      reason: expect.stringContaining('"slow down"'),
    })
  })

  test('longer than a timer can be is no deadline of 1 ms', async () => {
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    const client = owned(clientOf(server.url, { timeoutMs: 2 ** 33 }))
    expect((await client.list('shipment', FIRST_PAGE)).kind).toBe('ok')
  })
})

describe('an abort by the caller', () => {
  test('before the request sends nothing', async () => {
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    const request = owned(clientOf(server.url)).list('shipment', FIRST_PAGE, AbortSignal.abort('bye'))
    await expect(request).rejects.toMatchObject({ name: 'AbortError', cause: 'bye' })
    expect(server.sockets).toHaveLength(0)
  })

  test('while waiting for the answer rejects with an AbortError', async () => {
    const caller = new AbortController()
    const server = owned(await loopback(() => caller.abort()))
    const request = owned(clientOf(server.url)).item('invoice', 'A', caller.signal)
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('in the middle of a body rejects with an AbortError', async () => {
    const caller = new AbortController()
    const server = owned(
      await loopback((_, response) => {
        response.write('[', () => setImmediate(() => caller.abort()))
      }),
    )
    const request = owned(clientOf(server.url)).list('shipment', FIRST_PAGE, caller.signal)
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('does not wait for a connection that hangs', async () => {
    const caller = new AbortController()
    const server = owned(await rawLoopback(() => caller.abort()))
    const client = owned(clientOf(`https://127.0.0.1:${server.port}`, { timeoutMs: 60_000 }))
    await expect(client.item('invoice', 'A', caller.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('leaves no listener on its signal once the answer is there', async () => {
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await owned(clientOf(server.url)).list('shipment', FIRST_PAGE, signal)
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1])
  })
})

describe('a failing connection', () => {
  test('that is refused says so', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const address = free.address()
    free.close()
    await once(free, 'close')
    const port = typeof address === 'object' ? address?.port : null
    const outcome = await owned(clientOf(`http://127.0.0.1:${port}`)).item('invoice', 'A')
    expect(outcome).toMatchObject({
      kind: 'unreachable',
      reason: `127.0.0.1:${port} refused the connection (ECONNREFUSED) at GET /v1/invoices/A; check base_url and the network.`,
      exchange: { status: null },
    })
  })

  test('that is reset before an answer says so', async () => {
    const server = owned(await rawLoopback((socket) => socket.once('data', () => socket.resetAndDestroy())))
    expect(await owned(clientOf(server.url)).item('invoice', 'A')).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringMatching(/reset the connection|closed the connection/),
    })
  })

  test('that closes in the middle of a body is unreachable, not broken', async () => {
    const server = owned(
      await rawLoopback((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"platform')),
      ),
    )
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('closed the connection before the answer was complete'),
      exchange: { status: 200, bytes: 11 },
    })
  })

  test('to a name without an address says so', async () => {
    const outcome = await owned(clientOf('http://platform.invalid')).item('invoice', 'A')
    expect(outcome).toMatchObject({ kind: 'unreachable', reason: expect.stringMatching(/^platform\.invalid .*DNS/) })
  })

  test('to a server without TLS says what went wrong', async () => {
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    const outcome = await owned(clientOf(server.url.replace('http:', 'https:'))).item('invoice', 'A')
    expect(outcome).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('could not be talked to (') })
  })

  test.each([
    ['HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n', 'with something that is not HTTP'],
    ['\0\0\0\u0004\0\0\0\0\0', 'does not speak HTTP/1.1; it may speak HTTP/2 only'],
  ])('that is answered %j is broken', async (answer, sentence) => {
    const server = owned(await rawLoopback((socket) => socket.once('data', () => socket.end(answer))))
    expect(await owned(clientOf(server.url)).item('invoice', 'A')).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining(sentence),
    })
  })

  test.each(['100 Continue', '102 Processing', '103 Early Hints\r\nlink: </x>; rel=preload'])(
    'that is answered behind interim answers is answered, also where it may be sent only once: %s',
    async (line) => {
      const body = JSON.stringify({ reference: 'A', status: 'due' })
      const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      const server = owned(
        await rawLoopback((socket) =>
          socket.on('data', () => socket.write(`HTTP/1.1 ${line}\r\n\r\n`.repeat(3) + answer)),
        ),
      )
      const client = owned(clientOf(server.url))
      for (let n = 0; n < 2; n += 1) expect(await client.item('invoice', 'A')).toMatchObject({ kind: 'ok' })
      expect(await client.createPurchaseOrder({ reference: 'PO-1', product_lines: [] })).toMatchObject({ kind: 'ok' })
    },
  )

  test('that is answered by too many bytes of interim answers is dropped', async () => {
    const interim = `HTTP/1.1 100 Continue\r\nx-note: ${'x'.repeat(100_000)}\r\n\r\n`.repeat(3)
    const server = owned(await rawLoopback((socket) => socket.once('data', () => socket.write(interim))))
    expect(await owned(clientOf(server.url)).item('invoice', 'A')).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('more than 262144 bytes of interim answers (1xx) came and no final one'),
    })
  })

  test('that is answered by nothing but interim answers is dropped', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(200)
    const server = owned(await rawLoopback((socket) => socket.once('data', () => socket.write(interim))))
    expect(await owned(clientOf(server.url)).item('invoice', 'A')).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('more than 100 interim answers (1xx) came and no final one'),
    })
  })

  test('to something that does not speak HTTP is broken', async () => {
    const server = owned(await rawLoopback((socket) => socket.end('220 mail.example ESMTP\r\n')))
    expect(await owned(clientOf(server.url)).item('invoice', 'A')).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining('something that is not HTTP'),
    })
  })
})

describe('a body', () => {
  test.each([
    ['gzip', gzipSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
  ])('compressed with %s is read', async (encoding, body) => {
    const server = owned(
      await loopback((request, response) => {
        expect(request.headers['accept-encoding']).toContain(encoding)
        response.writeHead(200, { 'content-encoding': encoding }).end(body)
      }),
    )
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({
      kind: 'ok',
      value: { rows: [{ id: 'SHP-1' }] },
      exchange: { bytes: PAGE.length },
    })
  })

  test.each([
    ['utf-8', PAGE],
    ['UTF-8', PAGE],
    ['none', PAGE],
    ['identity', PAGE],
    ['aws-chunked', PAGE],
    ['binary', PAGE],
    ['', PAGE],
    ['gzip, aws-chunked', gzipSync(PAGE)],
    ['identity,gzip', gzipSync(PAGE)],
  ])('whose content coding encodes nothing, or nothing more, is read: %s', async (encoding, body) => {
    const server = owned(
      await loopback((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body)),
    )
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({
      kind: 'ok',
      value: { rows: [{ id: 'SHP-1' }] },
    })
  })

  test.each([20, 200])('behind %d cookies of 1,000 bytes is read', async (amount) => {
    const cookies = Array.from({ length: amount }, (_, index) => `c${index}=${'x'.repeat(990)}`)
    const server = owned(await loopback((_, response) => response.writeHead(200, { 'set-cookie': cookies }).end(PAGE)))
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({ kind: 'ok' })
  })

  test.each([
    ['gzip', Buffer.from(PAGE)],
    ['zstd', Buffer.from(PAGE)],
    ['gzip', gzipSync(PAGE).subarray(0, 20)],
    ['br', Buffer.from(PAGE)],
    ['compress', Buffer.from(PAGE)],
  ])('that is not the %s it claims to be is broken', async (encoding, body) => {
    const server = owned(
      await loopback((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body)),
    )
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining(`a body that cannot be decoded as ${encoding}`),
    })
  })

  test('larger than 64 MiB is broken and read no further', { tags: 'long' }, async () => {
    const server = owned(await loopback((_, response) => pourForever(response)))
    const outcome = await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)
    expect(outcome).toMatchObject({ kind: 'broken', reason: expect.stringContaining('with more than 64 MiB') })
    expect(outcome.exchange.bytes).toBeLessThan(66 * 1024 * 1024)
  })

  test('of an error is read only as far as it is quoted', async () => {
    const server = owned(await loopback((_, response) => pourForever(response.writeHead(500))))
    const { exchange } = await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)
    expect(exchange.bytes).toBeLessThan(1024 * 1024)
  })

  test('with a byte order mark and text of several bytes is read as UTF-8', async () => {
    const body = `\uFEFF${JSON.stringify([{ platform_shipment_id: 'Gdańsk–上海' }])}`
    const server = owned(await loopback((_, response) => response.end(body)))
    expect(await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).toMatchObject({
      value: { rows: [{ kind: 'record', id: 'Gdańsk–上海' }] },
    })
  })
})

describe('the pool', () => {
  test('keeps a connection for the next request', async () => {
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    const client = owned(clientOf(server.url, { concurrency: 1 }))
    for (let page = 0; page < 5; page += 1) await client.list('shipment', FIRST_PAGE)
    expect(server.sockets).toHaveLength(1)
  })

  test('has as many requests under way as allowed, and no more', async () => {
    const waiting: ServerResponse[] = []
    let mostAtOnce = 0
    const server = owned(
      await loopback((_, response) => {
        waiting.push(response)
        mostAtOnce = Math.max(mostAtOnce, waiting.length)
        if (waiting.length === 3) setImmediate(() => waiting.splice(0).forEach((each) => each.end(PAGE)))
      }),
    )
    const client = owned(clientOf(server.url, { concurrency: 3 }))
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => client.list('shipment', FIRST_PAGE)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 9 }, () => 'ok'))
    expect(mostAtOnce).toBe(3)
    expect(server.sockets).toHaveLength(3)
  })

  test('is closed for good: what is under way ends with an AbortError', async () => {
    const reached = Promise.withResolvers<void>()
    const server = owned(await loopback(() => reached.resolve()))
    const client = clientOf(server.url)
    const underWay = expect(client.item('invoice', 'A')).rejects.toMatchObject({ name: 'AbortError' })
    await reached.promise
    await client[Symbol.asyncDispose]()
    await underWay
    await expect(client.item('invoice', 'A')).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('does not wait for a hanging connection when it is closed', async () => {
    const reached = Promise.withResolvers<void>()
    const server = owned(await rawLoopback(() => reached.resolve()))
    const client = clientOf(`https://127.0.0.1:${server.port}`, { timeoutMs: 60_000 })
    const underWay = expect(client.item('invoice', 'A')).rejects.toMatchObject({ name: 'AbortError' })
    await reached.promise
    const gone = Promise.all(server.sockets.map((socket) => once(socket, 'close')))
    await client[Symbol.asyncDispose]()
    await underWay
    await gone
  })

  test('ignores proxy variables', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:1')
    }
    const server = owned(await loopback((_, response) => response.end(PAGE)))
    expect((await owned(clientOf(server.url)).list('shipment', FIRST_PAGE)).kind).toBe('ok')
  })

  test('follows no redirect', async () => {
    const paths: (string | undefined)[] = []
    const server = owned(
      await loopback((request, response) => {
        paths.push(request.url)
        response.writeHead(307, { location: '/elsewhere' }).end()
      }),
    )
    const outcome = await owned(clientOf(server.url)).item('invoice', 'A')
    expect(outcome).toMatchObject({ kind: 'broken', reason: expect.stringContaining(`127.0.0.1:${server.port}`) })
    expect(paths).toEqual(['/v1/invoices/A'])
  })
})

/** The path that a server sees when it is asked through a client with this `base_url`. */
async function askedFor(suffix: string, ask: (client: Platform) => Promise<unknown>): Promise<string | undefined> {
  let path: string | undefined
  const server: Loopback = owned(
    await loopback((request, response) => {
      path = request.url
      response.end('[]')
    }),
  )
  await ask(owned(clientOf(server.url + suffix)))
  return path
}

describe('base_url and path', () => {
  test.each([
    ['', '/v1/shipments?skip=0&take=100'],
    ['/', '/v1/shipments?skip=0&take=100'],
    ['/freight/api', '/freight/api/v1/shipments?skip=0&take=100'],
    ['/freight/api//', '/freight/api/v1/shipments?skip=0&take=100'],
  ])('%j leads to %s', async (suffix, path) => {
    expect(await askedFor(suffix, (client) => client.list('shipment', FIRST_PAGE))).toBe(path)
  })

  test.each([
    ['INV 2026/11', 'INV%202026%2F11'],
    ['a?b#c%2F', 'a%3Fb%23c%252F'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['../../admin', '..%2F..%2Fadmin'],
    ['é上', '%C3%A9%E4%B8%8A'],
    ['\r\nx: y', '%0D%0Ax%3A%20y'],
    ['\ud800', '%EF%BF%BD'],
  ])('an identifier %j is one segment', async (id, segment) => {
    expect(await askedFor('', (client) => client.item('invoice', id))).toBe(`/v1/invoices/${segment}`)
  })

  test.each(['platform.example', 'ftp://platform.example', '', 'file:///etc/passwd'])(
    'a base_url of %j is refused with a sentence',
    (baseUrl) => {
      expect(() => clientOf(baseUrl)).toThrow(ShipbellError)
      expect(() => clientOf(baseUrl)).toThrow(/base_url .* is not an http or https address/)
    },
  )

  test.each(['', `${API_KEY}\n`, 'two words', 'clé'])('a key of %j is refused without being told', (apiKey) => {
    expect(() => clientOf('http://platform.example', { apiKey })).toThrow(/^api_key is empty or holds a space/)
  })
})

function drip(response: ServerResponse): void {
  response.write(' ')
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => clearInterval(timer))
}

function pourForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(256 * 1024, ' ')
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', pour)
  pour()
}

test('a copy without Age, dated by when it was made, says nothing of what the clock says now', async () => {
  const dates = [0, -600_000, 0].map((before) => new Date(Date.now() + before).toUTCString())
  const server = owned(await loopback((_, response) => response.setHeader('date', dates.shift() ?? '').end(PAGE)))
  const client = owned(clientOf(server.url))
  const clocks: boolean[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const { exchange } = await client.list('shipment', FIRST_PAGE)
    clocks.push(exchange.platformClock !== undefined)
  }
  expect(clocks).toEqual([true, false, true])
})
