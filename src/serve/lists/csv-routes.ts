import type { Context, MiddlewareHandler } from 'hono'
import { ShipbellError } from '../../errors.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'
import type { AdminEnv } from '../admin-env.ts'
import type { Look } from '../admin-context.ts'
import { lookingOf } from '../page-reader.ts'
import { viewedBy, viewer } from '../pages/parts/viewer.ts'
import { problemResponse, type Problem } from '../problem.ts'
import type { Desks } from '../scope/desks.ts'
import { csvSlice, type CsvSlice } from './csv-slice.ts'
import { csvStream } from './csv-stream.ts'
import { listProblem, parameterOf, readList, zoneProblems } from './list-query.ts'

/** How many tables are on their way at once: each has one slice in memory, and each slice takes its turn among pages. */
const MOST_TABLES = 8
/** Says where the next slice begins; only between this process and its thread. */
const NEXT = 'shipbell-next'
const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/**
 * `format=csv` at the address of a list of records, be it a page or the API's: all rows that match, streamed. Who makes pages elsewhere has
 * each slice made there.
 */
export function csvRoutes(desks: Desks): MiddlewareHandler<AdminEnv> {
  let open = 0
  return async (c, next) => {
    const resource = resourceOf(c)
    if (resource === null || c.req.query('format') !== 'csv') return await next()
    if (c.get('inSlices') === true) return await sliceResponse(c, desks, resource)
    if (open >= MOST_TABLES) return problemResponse(FULL)
    open += 1
    let isOver = false
    const over = (): void => {
      if (!isOver) open -= 1
      isOver = true
    }
    try {
      const sliceAt = slicesOf(c, desks, resource)
      const first = await sliceAt(undefined)
      if (first instanceof Response || c.req.method === 'HEAD') {
        over()
        return first instanceof Response ? first : new Response(null, { headers: headersOf(resource) })
      }
      const signal = AbortSignal.any([desks.signal, c.req.raw.signal])
      const body = csvStream({
        clock: desks.clock,
        signal,
        first,
        over,
        sliceAt: async (cursor) => whole(await sliceAt(cursor)),
      })
      return new Response(body, { headers: headersOf(resource) })
    } catch (error) {
      over()
      throw error
    }
  }
}

const FULL: Problem = {
  status: 503,
  detail: 'Too many tables are on their way to others: ask again in a moment.',
  headers: { 'Retry-After': '10' },
}

function headersOf(resource: RecordResource): Readonly<Record<string, string>> {
  return {
    'Content-Type': CSV_TYPE,
    'Content-Disposition': `attachment; filename="${resource}.csv"`,
    'Cache-Control': 'no-store',
  }
}

function resourceOf({ req: { path } }: Context<AdminEnv>): RecordResource | null {
  const [, name = ''] = /^(?:\/api\/v1)?\/records\/([a-z_]+)$/.exec(path) ?? []
  return isRecordResource(name) ? name : null
}

type SliceAt = (cursor: string | undefined) => Promise<CsvSlice | Response>

/** Slices of the list that is asked for, made elsewhere where pages are; a refusal in place of the first one. */
function slicesOf(c: Context<AdminEnv>, desks: Desks, resource: RecordResource): SliceAt {
  const who = viewer()
  const looking = lookingOf(c)
  return async (cursor) => {
    if (!c.get('isStillKnown')()) throw new ShipbellError('forbidden', 'The token is none any more.')
    const look = await desks.reader?.({ ...looking, url: withCursor(looking.url, cursor) })
    if (look != null) return readSlice(look)
    return await viewedBy(who, async () => await sliceOf(c, { desks, resource, cursor }))
  }
}

interface AskedSlice {
  readonly desks: Desks
  readonly resource: RecordResource
  readonly cursor: string | undefined
}

async function sliceOf(c: Context<AdminEnv>, { cursor, desks, resource }: AskedSlice): Promise<CsvSlice | Response> {
  const desk = desks.deskOf(c.get('asker'))
  const { problems, query } = readList(resource, parameterOf(c), desk)
  const wrong = [...zoneProblems(), ...problems]
  if (wrong.length > 0) return listProblem(wrong)
  return await csvSlice(desk.store, { ...query, ...(cursor !== undefined && { cursor }) })
}

/** One slice, for the process that sends the table. */
async function sliceResponse(c: Context<AdminEnv>, desks: Desks, resource: RecordResource): Promise<Response> {
  const slice = await sliceOf(c, { desks, resource, cursor: c.req.query('cursor') })
  if (slice instanceof Response) return slice
  const headers = { 'Content-Type': CSV_TYPE, ...(slice.next !== null && { [NEXT]: slice.next }) }
  return new Response(slice.text, { headers })
}

/** The rows of a later slice. Throws where it is refused: the table breaks off. */
function whole(slice: CsvSlice | Response): CsvSlice {
  if (slice instanceof Response)
    throw new ShipbellError('internal', `A slice of the table was refused (${slice.status}).`)
  return slice
}

function withCursor(url: string, cursor: string | undefined): string {
  const asked = new URL(url)
  asked.searchParams.delete('cursor')
  if (cursor !== undefined) asked.searchParams.set('cursor', cursor)
  return asked.href
}

/** What the thread answered. */
function readSlice({ body, headers, status }: Look): CsvSlice | Response {
  const sent = new Headers(headers.map(([name, value]) => [name, value]))
  if (status !== 200) return new Response(body, { status, headers: sent })
  return { text: Buffer.from(body).toString(), next: sent.get(NEXT) }
}
