import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { fetchFile, type FileOptions } from '../../src/platform/document-file.ts'
import { fileType } from '../../src/platform/file-type.ts'
import { loopback, type Loopback } from './loopback.ts'

const PDF = Buffer.from('%PDF-1.4 a packing list')
const LOOPBACK = ['127.0.0.0/8']
const MOST = 100_000

interface Asked {
  readonly path: string
  readonly key: string | undefined
}

let platform: Loopback
let files: Loopback
const asked = { platform: [] as Asked[], files: [] as Asked[] }

/** What both servers answer, by the first part of the path. */
const ANSWERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  pdf: (_, response) => response.setHeader('content-type', 'application/pdf').end(PDF),
  page: (_, response) =>
    response.setHeader('content-type', 'application/pdf').end('\n <!doctype html><script>1</script>'),
  pieces: (_, response) => {
    response.setHeader('content-type', 'text/plain').write(' ')
    setTimeout(() => response.end('<script>1</script>'), 20)
  },
  html: (_, response) => response.setHeader('content-type', 'text/html').end('<p>'),
  error: (_, response) => response.writeHead(500).end('a secret page'),
  gone: (_, response) => response.writeHead(404).end(),
  nowhere: (_, response) => response.writeHead(302).end(),
  slow: (_, response) => response.write('%PDF-'),
  endless: (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', more)
    more()
  },
  large: (_, response) => response.end(Buffer.alloc(MOST + 1)),
  whole: (_, response) => response.end(Buffer.alloc(MOST)),
  cut: (_, response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('half')
    setImmediate(() => response.destroy())
  },
  to: (request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? ''
    response.writeHead(307, { location: to }).end('no file')
  },
}

function serving(into: Asked[]): RequestListener {
  return (request, response) => {
    const path = request.url ?? ''
    into.push({ path, key: request.headers.authorization })
    const name = path.split(/[/?]/)[1] ?? ''
    if (name.startsWith('hop')) {
      const left = Number(name.slice(3))
      response.writeHead(302, { location: left === 1 ? '/pdf' : `/hop${left - 1}` }).end()
    } else ANSWERS[name]?.(request, response)
  }
}

beforeAll(async () => {
  platform = await loopback(serving(asked.platform))
  files = await loopback(serving(asked.files))
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})
beforeEach(() => {
  asked.platform.length = 0
  asked.files.length = 0
})

async function get(
  link: string,
  { about = {}, baseUrl = platform.url }: { about?: Partial<FileOptions>; baseUrl?: string } = {},
) {
  return fetchFile(link, {
    account: { baseUrl, apiKey: 'key-1', timeoutMs: 150, tls: null, proxy: null },
    allowNetworks: LOOPBACK,
    clock: systemClock,
    userAgent: 'test',
    mostBytes: MOST,
    signal: new AbortController().signal,
    ...about,
  })
}

const to = (url: string): string => `/to?to=${encodeURIComponent(url)}`

describe('the file of a document', () => {
  test('comes whole, with its type; the key goes to the platform alone', async () => {
    const [own, foreign] = [await get(`${platform.url}/pdf`), await get(`${files.url}/pdf?sig=1`)]
    for (const file of [own, foreign])
      expect(file).toMatchObject({ kind: 'file', type: 'application/pdf', bytes: PDF.length })
    expect(asked).toEqual({
      platform: [{ path: '/pdf', key: 'Bearer key-1' }],
      files: [{ path: '/pdf?sig=1', key: undefined }],
    })
  })

  test('is found by a link that is a path', async () => {
    expect(await get('/pdf')).toMatchObject({ kind: 'file' })
  })

  test('comes over redirects, to which the key does not go along', async () => {
    expect(await get(platform.url + to(`${files.url}/pdf`))).toMatchObject({ kind: 'file' })
    expect(asked.files).toEqual([{ path: '/pdf', key: undefined }])
    expect(await get(`${files.url}/hop3`)).toMatchObject({ kind: 'file' })
  })

  test('of all sizes that are allowed', async () => {
    expect(await get(`${files.url}/whole`)).toMatchObject({
      kind: 'file',
      bytes: MOST,
      type: 'application/octet-stream',
    })
  })

  test.each([
    ['hop4', 'The file is more than 3 redirects away.'],
    ['nowhere', 'answered 302 without saying where to.'],
    ['error', 'answered 500 in place of the file.'],
    ['gone', 'answered 404 in place of the file.'],
    ['endless', 'The file is larger than 0.1 MB.'],
    ['large', 'The file is larger than 0.1 MB.'],
    ['cut', 'closed the connection'],
    [to('ftp://files.example/'), 'neither https nor of the scheme'],
    [to('http://user:pass@files.example/'), 'a name and a password'],
    [to('http://169.254.169.254/latest/meta-data'), 'metadata'],
    [to('http://[fe80::1]/'), 'link-local'],
  ])('is not had from %s', async (path, why) => {
    const outcome = await get(`${files.url}/${path.replace(/^\//, '')}${path.includes('?') ? '&' : '?'}sig=s3cr3t`)
    expect(outcome).toEqual({ kind: 'refused', reason: expect.stringContaining(why) })
    expect(JSON.stringify(outcome)).not.toMatch(/s3cr3t|secret page|pass@/)
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,x', 'http://', 'gopher://x/'])(
    'is not had by %s',
    async (link) => {
      expect(await get(link)).toMatchObject({ kind: 'refused' })
    },
  )

  test('is not had from a private address that nobody opened, by link or by redirect', async () => {
    const about = { allowNetworks: [] }
    for (const link of [`${files.url}/pdf`, platform.url + to(`${files.url}/pdf`)])
      expect(await get(link, { about })).toMatchObject({ kind: 'refused', reason: expect.stringContaining('loopback') })
    expect(asked.files).toEqual([])
    expect(await get(`${platform.url}/pdf`, { about })).toMatchObject({ kind: 'file' })
  })

  test('is not had over http where the platform speaks https', async () => {
    const outcome = await get(`${files.url}/pdf`, { baseUrl: 'https://platform.example' })
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('neither https') })
  })

  test('that does not come in time is late', async () => {
    expect(await get(`${files.url}/slow`)).toMatchObject({
      kind: 'late',
      reason: expect.stringContaining('within 150ms'),
    })
  })

  test.each([
    ['html', 'application/octet-stream'],
    ['page', 'application/octet-stream'],
    ['pieces', 'application/octet-stream'],
  ])('is bytes where %s comes in its place', async (path, type) => {
    expect(await get(`${files.url}/${path}`)).toMatchObject({ kind: 'file', type })
  })
})

test.each([
  ['application/pdf', 'anything', 'application/pdf'],
  ['image/png; x=1', 'anything', 'image/png'],
  ['TEXT/PLAIN', 'a < b', 'text/plain'],
  ['text/plain', '\uFEFF<svg>', 'application/octet-stream'],
  ['image/svg+xml', '<svg>', 'application/octet-stream'],
  ['', '%PDF-1.7', 'application/pdf'],
  ['binary/octet-stream', '\u00FF\u00D8\u00FF', 'image/jpeg'],
  ['application/octet-stream', '<html>', 'application/octet-stream'],
])('a file that is called %j and begins %j is %s', (said, beginning, type) => {
  expect(fileType(said, Buffer.from(beginning, beginning.startsWith('\uFEFF') ? 'utf8' : 'latin1'))).toBe(type)
})
