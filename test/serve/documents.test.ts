import type { IncomingMessage } from 'node:http'
import { OpenAPIHono } from '@hono/zod-openapi'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { Service } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import type { AdminEnv } from '../../src/serve/admin-env.ts'
import { documentRoutes } from '../../src/serve/api/document-routes.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { loopback } from '../platform/loopback.ts'
import { scratchFolder } from '../config/scratch.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { TOKEN, VIEWER } from './desk.ts'

const PDF = '%PDF-1.4 a packing list'

interface Given {
  readonly http?: string
  readonly budget?: string
  /** How the platform answers for a document, by its id. */
  readonly documents?: Readonly<Record<string, object>>
  readonly file?: (request: IncomingMessage) => Promise<string>
}

/** A service whose platform gives documents, with links to files of its own. */
async function serving({
  http = `token: ${TOKEN}, viewer_token: ${VIEWER}`,
  budget = '{ requests: 1000, per: 1s }',
  documents = {},
  file,
}: Given = {}) {
  const asked: string[] = []
  const platform = await loopback((incoming, response) => {
    const path = incoming.url ?? ''
    asked.push(path)
    const id = /^\/v1\/documents\/([^/?]+)$/.exec(path)?.[1]
    const document = id === undefined ? undefined : documents[decodeURIComponent(id)]
    if (document !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    else if (!path.startsWith('/files/')) response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    else
      void (file?.(incoming) ?? Promise.resolve(PDF)).then((text) =>
        response.setHeader('content-type', 'application/pdf').end(text),
      )
  })
  const cwd = scratchFolder({
    'shipbell.yaml': `accounts:
  acme: { base_url: '${platform.url}', api_key: key-0123456789, timeout: 300ms, budget: ${budget}, watch: {} }
subscriptions:
  erp: { url: 'https://erp.example/', secret: ${SECRET}, events: ['*'] }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', ${http} }
`,
  })
  putEmptyStore(`${cwd}/shipbell.db`)
  const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} }))
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const options = { live, clock: systemClock, log, random: () => 0, command: 'run', progress: () => undefined }
  const service = await Service.open(options)
  const server = await service.serve()
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]()
    await platform[Symbol.asyncDispose]()
  })
  const get = async (path: string, token: string | null = TOKEN) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const answer = await request(`${server?.url ?? ''}/api/v1/documents/${path}/content`, { headers })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }
  return { asked, get, platform }
}

function document(id: string, about: object = {}): object {
  return {
    id,
    name: 'list.pdf',
    type: null,
    platform_shipment_id: 'S',
    link: `/files/${id}`,
    size: 1,
    uploaded_at: '2026-11-20',
    ...about,
  }
}

test('the file of a document is sent to be saved, and can do nothing in a browser', async () => {
  const { get } = await serving({ documents: { 'D/1': document('D/1', { name: '../é"list".pdf' }) } })
  for (const token of [TOKEN, VIEWER]) {
    const { headers, status, text } = await get(`acme/${encodeURIComponent('D/1')}`, token)
    expect([status, text]).toEqual([200, PDF])
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': `attachment; filename="____list_.pdf"; filename*=UTF-8''__%C3%A9%22list%22.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  }
})

/** The file that is called slow never comes. */
async function slow(incoming: IncomingMessage): Promise<string> {
  return incoming.url === '/files/slow' ? await new Promise<string>(() => undefined) : PDF
}

test('a problem comes in place of a file that is not there, is refused, or is late', async () => {
  const documents = {
    none: document('none', { link: null }),
    inside: document('inside', { link: 'https://169.254.169.254/latest/' }),
    slow: document('slow'),
    ok: document('ok'),
  }
  const { asked, get } = await serving({ documents, file: slow })
  const paths = ['acme/missing', 'acme/none', 'globex/ok', 'acme/inside', 'acme/slow']
  const answers = await Promise.all(paths.map(async (path) => get(path)))
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 502, 504])
  for (const { headers, status, text } of answers) {
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(text)).toMatchObject({ status, detail: expect.stringMatching(/\.$/) })
  }
  expect([(await get('acme/ok', null)).status, (await get('acme/ok', 'wrong-token')).status]).toEqual([401, 401])
  expect(asked).not.toContain('/files/ok')
})

test('without any token nobody is given a file', async () => {
  const { asked, get } = await serving({ http: '', documents: { ok: document('ok') } })
  const { status, text } = await get('acme/ok', null)
  expect([status, JSON.parse(text).detail]).toEqual([403, expect.stringContaining('need a token')])
  expect(asked).toEqual([])
})

test('two files are fetched at once', async () => {
  const documents = Object.fromEntries([1, 2, 3, 4, 5].map((each) => [String(each), document(String(each))]))
  let [underWay, most] = [0, 0]
  const file = async (): Promise<string> => {
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay -= 1
    return PDF
  }
  const { get } = await serving({ documents, file })
  const answers = await Promise.all(Object.keys(documents).map(async (id) => get(`acme/${id}`)))
  expect([most, ...answers.map(({ status }) => status)]).toEqual([2, 200, 200, 200, 200, 200])
})

test('files of the platform are fetched within the budget', async () => {
  const documents = { 1: document('1'), 2: document('2') }
  const { asked, get } = await serving({ documents, budget: '{ requests: 2, per: 500ms }' })
  const startedAt = performance.now()
  for (const id of ['1', '2']) expect((await get(`acme/${id}`)).status).toBe(200)
  expect(asked).toHaveLength(4)
  expect(performance.now() - startedAt).toBeGreaterThan(490)
})

test('a file of which the headers alone are asked for is not under way', async () => {
  const chunks = [Buffer.from('one'), Buffer.from('two')]
  const file = { kind: 'file', name: null, type: 'text/plain', bytes: 200_000_000, chunks } as const
  const { signal } = new AbortController()
  const named = [{ name: 'acme' }]
  const routes = documentRoutes({
    clock: new FakeClock(),
    signal,
    deskOf: () => ({ accounts: () => named, document: async () => file }),
  })
  const api = new OpenAPIHono<AdminEnv>()
  api.use(async (c, next) => {
    c.set('asker', { role: 'viewer', name: 'viewer', scope: { kind: 'all' } })
    await next()
  })
  api.route('/', routes)
  const asked = async (method: string) => (await api.request('/documents/acme/1/content', { method })).status
  expect([await asked('HEAD'), await asked('HEAD'), await asked('GET'), await asked('GET')]).toEqual([
    200, 200, 200, 503,
  ])
})
