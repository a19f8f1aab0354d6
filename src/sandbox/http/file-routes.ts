import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { formatInstant, parseInstant } from '../../model/instant.ts'
import { field, textField, type JsonObject } from '../../model/json.ts'
import { refuse, type Served } from './record-routes.ts'

const VALID_MS = 15 * 60_000

/**
 * Signs the `link` of a document for some minutes, at the address that was asked. No two links are alike, so that a client has to
 * treat a new link as no change.
 */
export function linkSigner(now: Served['now']): (document: JsonObject, context: Context) => JsonObject {
  let signed = 0
  return (document, context) => {
    const path = textField(document, 'link')
    if (path === null) return document
    signed += 1
    const expires = `${formatInstant(now() + VALID_MS)}.${signed}`
    const { origin } = new URL(context.req.url)
    return { ...document, link: `${origin}${path}?X-Expires=${expires}&X-Signature=${signature(path, expires)}` }
  }
}

/** Whoever has a link that still holds may have the file, with any key or none. */
export function fileRoutes(app: Hono, { now, world }: Served): void {
  app.get('/files/:id/:name', (context) => {
    const { pathname } = new URL(context.req.url)
    const [expires, given] = [context.req.query('X-Expires') ?? '', context.req.query('X-Signature') ?? '']
    if (!isSame(given, signature(pathname, expires))) return refuse(context, 403, 'The link is not signed.')
    const until = parseInstant(expires.replace(/\.\d+$/, '')) ?? 0
    if (until < now()) return refuse(context, 403, 'The link is valid no more: fetch the document again.')
    const document = world.documents.find(context.req.param('id'), now())
    if (document === null) return refuse(context, 404, 'There is no such file.')
    return context.body(pdfOf(document), 200, { 'Content-Type': 'application/pdf' })
  })
}

function signature(path: string, expires: string): string {
  return createHash('sha256').update(`sandbox ${path} ${expires}`).digest('hex').slice(0, 32)
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** A PDF of one page that says the document's name, as large as the document says. */
function pdfOf(document: JsonObject): ArrayBuffer {
  const title = (textField(document, 'name') ?? 'document').replaceAll(/[^\w .-]/g, '_')
  const text = `BT /F1 18 Tf 60 760 Td (${title}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const parts = ['%PDF-1.4\n', ...objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)]
  const places = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('').length)
  const rows = places.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n`
  const body = parts.join('')
  // A comment between the objects and the table fills it up; where the table begins may take another digit then.
  const rest = Number(field(document, 'size') ?? 0) - body.length - table.length - '0000000\n%%EOF\n'.length - 2
  const filled = rest > 0 ? `${body}%${'.'.repeat(rest)}\n` : body
  const start = String(filled.length).padStart(7, '0')
  return new Uint8Array(Buffer.from(`${filled}${table}${start}\n%%EOF\n`, 'latin1')).buffer
}
