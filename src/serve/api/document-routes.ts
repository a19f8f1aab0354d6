import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { AccountSettings } from '../../model/account.ts'
import { FILE_TYPES, type DocumentContent, type DocumentFile } from '../../model/document-content.ts'
import type { Asker } from '../admin-context.ts'
import type { Desk, Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse, type Problem } from '../problem.ts'
import { READ_PROBLEMS, refused } from './answers.ts'
import { checked } from './checked.ts'
import { FilesUnderWay } from '../files-under-way.ts'
import { accountName, id } from './parts.ts'

const BYTES = z.string().openapi({ format: 'binary' })

const CONTENT = createRoute({
  method: 'get',
  path: '/documents/{account}/{id}/content',
  operationId: 'getDocumentContent',
  summary: 'The file of a document, fetched from the platform; at most 50 MB',
  request: { params: z.object({ account: accountName, id }) },
  responses: {
    ...READ_PROBLEMS,
    200: {
      description: 'The file, to be saved.',
      content: Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: BYTES }])),
    },
    403: refused('The files of documents need a token.'),
    502: refused('Who has the file did not give it, or it must not be fetched.'),
    504: refused('The file did not come in time.'),
  },
})

interface DocumentDesks extends Pick<Desks, 'clock' | 'signal'> {
  deskOf(asker: Asker): Pick<Desk, 'document'> & { accounts(): readonly Pick<AccountSettings, 'name'>[] }
}

/** The files of documents, which only whoever shows a token is given. */
export function documentRoutes(desks: DocumentDesks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  const sending = new FilesUnderWay(desks.clock)
  routes.openapi(CONTENT, async (c) => {
    const { account, id: asked } = c.req.valid('param')
    if (!hasToken(c.get('asker'))) return problemResponse(TOKENLESS)
    const desk = desks.deskOf(c.get('asker'))
    const isConfigured = desk.accounts().some(({ name }) => name === account)
    if (!isConfigured) return problemResponse({ status: 404, detail: `There is no account ${account}.` })
    if (sending.isFull) return problemResponse(FULL)
    const signal = AbortSignal.any([desks.signal, c.req.raw.signal])
    const content = await desk.document(account, asked, signal).catch((error: unknown) => {
      if (signal.aborted) return GONE
      throw error
    })
    if (content.kind !== 'file') return problemResponse(problemOf(content))
    // Whoever asks for the headers alone reads no body, which would count as under way until its time is over.
    const isHead = c.req.raw.method === 'HEAD'
    return fileResponse(content, { asked, body: isHead ? null : sending.streamOf(content) })
  })
  return routes
}

const TOKENLESS: Problem = {
  status: 403,
  detail: 'The files of documents need a token: configure `http.token` or `http.viewer_token`, and send it.',
}

const FULL: Problem = {
  status: 503,
  detail: 'Too many files are on their way to others: ask again in a moment.',
  headers: { 'Retry-After': '10' },
}

/** Nobody reads it: who asked has left, or the service ends. */
const GONE: DocumentContent = { kind: 'late', reason: 'It ended before the file had come.' }

function hasToken({ role }: Asker): boolean {
  return role !== 'reader'
}

function problemOf({ kind, reason }: Exclude<DocumentContent, DocumentFile>): Problem {
  const statuses = { missing: 404, refused: 502, late: 504 } as const
  return { status: statuses[kind], detail: reason }
}

/** Whatever the file holds, a browser saves it and runs nothing of it. */
function fileResponse({ bytes, name, type }: DocumentFile, { asked, body }: Sent): Response {
  return new Response(bytes === 0 ? null : body, {
    headers: {
      'Content-Type': type,
      'Content-Length': String(bytes),
      'Content-Disposition': dispositionOf(name ?? asked),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  })
}

interface Sent {
  readonly asked: string
  readonly body: ReadableStream<Uint8Array> | null
}

const LONGEST = 120

/** RFC 6266: the name in ASCII, and as it is. A name never leads out of the folder that it is saved in. */
function dispositionOf(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{C}/\\]+/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, LONGEST)
    .toWellFormed()
  const shown = plain.trim() === '' ? 'document' : plain
  const ascii = shown.replaceAll(/[^\u0020-\u007E]|["%;]/g, '_')
  const encoded = encodeURIComponent(shown).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
