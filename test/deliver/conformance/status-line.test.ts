import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '../../../src/deliver/channels/channel.ts'
import { issueCertificate } from '../../support/certificate.ts'
import { LoopbackProxy } from '../../support/loopback-proxy.ts'
import { sampleBatch } from '../sample-event.ts'
import type { ScriptedReceiver } from '../scripted-receiver.ts'
import { NEVER, postsTo, scripted, senderTo } from './sending.ts'

const MANY_HEADERS = Array.from({ length: 600 }, (_, n) => `X-Policy-${n}: ${'v'.repeat(1_000)}\r\n`).join('')

/** What stands behind a status line, and cannot be used. */
const BROKEN: readonly (readonly [string, string])[] = [
  ['600 kB of headers', `${MANY_HEADERS}Content-Length: 2\r\n\r\nok`],
  ['two equal Content-Length', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  ['two different Content-Length', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
  [
    'Transfer-Encoding beside Content-Length',
    'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  ['a broken chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n'],
  ['a length that is no number', 'Content-Length: some\r\n\r\nok'],
  ['a header with spaces in its name', 'X Bad Header: 1\r\n\r\nok'],
  ['headers that end in the middle', 'Content-Le'],
]

/** Answers so, behind `before`, in pieces, and closes. */
const raw =
  (line: string, behind: string, before = ''): ScriptedReceiver['answer'] =>
  ({ response }) => {
    const { socket } = response
    socket?.write(before + line.slice(0, 9))
    setImmediate(() => {
      socket?.write(`${line.slice(9)}\r\n`)
      socket?.end(behind)
    })
  }

/** Answers so in pieces of seven bytes, and closes. */
const inPieces =
  (text: string): ScriptedReceiver['answer'] =>
  ({ response: { socket } }) => {
    const next = (at: number): void => {
      if (at >= text.length) socket?.end()
      else socket?.write(text.slice(at, at + 7), () => next(at + 7))
    }
    next(0)
  }

async function sent(answer: ScriptedReceiver['answer'], posts = 1): Promise<SendOutcome> {
  const receiver = await scripted(answer)
  const outcome = await senderTo(receiver.url).send(sampleBatch(), NEVER)
  expect(postsTo(receiver)).toHaveLength(posts)
  return outcome
}

describe.each(BROKEN)('with %s behind it', (_, behind) => {
  it.each([
    ['200 OK', { kind: 'delivered', status: 200 }],
    ['204 No Content', { kind: 'delivered', status: 204 }],
    ['429 Too Many Requests', { kind: 'failed', status: 429 }],
    ['500 Oops', { kind: 'failed', status: 500 }],
    ['410 Gone', { kind: 'gone', status: 410 }],
  ])('the status line decides: %s', async (line, expected) => {
    expect(await sent(raw(`HTTP/1.1 ${line}`, behind))).toMatchObject(expected)
  })

  it('so it does behind an interim answer', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'
    expect(await sent(raw('HTTP/1.1 202 Accepted', behind, hints))).toMatchObject({ kind: 'delivered', status: 202 })
  })
})

describe('the status line decides', () => {
  it('on a reused connection, each answer by its own', async () => {
    const receiver = await scripted(({ response }) => void response.writeHead(200).end('ok'))
    const sender = senderTo(receiver.url, { concurrency: 1 })
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered', status: 200 })
    receiver.answer = raw('HTTP/1.1 503 Busy', 'Content-Length: 1\r\nContent-Length: 1\r\n\r\n')
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'failed', status: 503 })
    receiver.answer = ({ response }) => void response.socket?.end('SSH-2.0\r\n')
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'failed', status: null })
  })

  it('over TLS, and through the tunnel of a proxy', async () => {
    const issuer = issueCertificate({ name: 'An authority', authority: true })
    const { cert, key } = issueCertificate({ name: 'receiver', hosts: ['127.0.0.1'], issuer })
    const receiver = await scripted(raw('HTTP/1.1 200 OK', BROKEN[1]?.[1] ?? ''), '127.0.0.1', { cert, key })
    const tls = { ca: issuer.cert, cert: null, key: null }
    const url = `https://127.0.0.1:${receiver.port}/`
    expect(await senderTo(url, { tls }).send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    const proxy = { address: (await LoopbackProxy.start()).address(), allowUnresolved: false }
    const sender = senderTo(url, { tls, proxy })
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered', status: 200 })
  })

  it.each(['100 Continue', '102 Processing', '103 Early Hints', '199 Later'])(
    'behind any number of interim answers, in whatever pieces they come: %s',
    async (line) => {
      const interim = `HTTP/1.1 ${line}\r\nX-Note: HTTP/1.1 500\r\n\r\n`.repeat(40)
      expect(await sent(inPieces(`${interim}HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok`))).toMatchObject({
        kind: 'delivered',
        status: 202,
        answer: 'ok',
      })
      const failed = await sent(inPieces(`HTTP/1.1 ${line}\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n`))
      expect(failed).toMatchObject({ kind: 'failed', status: 503 })
    },
  )

  it('on a connection that is used again, though each answer comes behind an interim one', async () => {
    const receiver = await scripted(({ response }) => {
      response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n')
      response.writeHead(200).end('ok')
    })
    const sender = senderTo(receiver.url, { concurrency: 1 })
    for (let n = 0; n < 3; n += 1)
      expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered', status: 200 })
  })

  it.each(['HTTP/1.1 100 Continue', 'HTTP/1.1 101 Switching Protocols', 'HTTP/1.1 20', 'ICY 200 OK', 'HTTP/2 200'])(
    'but %s is none',
    async (line) => {
      expect(await sent(raw(line, BROKEN[1]?.[1] ?? ''))).toMatchObject({ kind: 'failed', status: null })
    },
  )
})
