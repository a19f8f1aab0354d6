import type { Context, MiddlewareHandler } from 'hono'
import { ShipbellError } from '../../errors.ts'
import { NEWEST_FIRST, orderText } from '../../model/record-order.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'
import type { AdminEnv } from '../admin-env.ts'
import type { Look } from '../admin-context.ts'
import { lookingOf } from '../page-reader.ts'
import { viewedBy, viewer } from '../pages/parts/viewer.ts'
import { problemResponse, type Problem } from '../problem.ts'
import type { Desks } from '../scope/desks.ts'
import { csvRows, type CsvRows } from './csv-slice.ts'
import { type CsvSlice, csvStream } from './csv-stream.ts'
import { listProblem, parameterOf, readList, zoneProblems } from './list-query.ts'
import { type RowsAt, WholeTable } from './whole-table.ts'

/** How many tables are on their way at once: each has one slice in memory, and each slice takes its turn among pages. */
const MOST_TABLES = 8
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
    if (c.get('inSlices') === true) return await rowsResponse(c, desks, resource)
    if (open >= MOST_TABLES) return problemResponse(FULL)
    open += 1
    let isOver = false
    const over = (): void => {
      if (!isOver) open -= 1
      isOver = true
    }
    try {
      const table = tableOf(c, desks, resource)
      const first = await table.first()
      if (first instanceof Response || c.req.method === 'HEAD') {
        over()
        return first instanceof Response ? first : new Response(null, { headers: headersOf(resource) })
      }
      const signal = AbortSignal.any([desks.signal, c.req.raw.signal])
      const sliceAt = async (): Promise<CsvSlice> => whole(await table.more())
      const body = csvStream({ clock: desks.clock, signal, first, over, sliceAt })
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

/** The table that is asked for, its slices made elsewhere where pages are; a refusal in place of the first one. */
function tableOf(c: Context<AdminEnv>, desks: Desks, resource: RecordResource): WholeTable<Response> {
  const who = viewer()
  const looking = lookingOf(c)
  const { q, sort } = { q: c.req.query('q') ?? '', sort: c.req.query('sort') ?? '' }
  return new WholeTable({
    now: () => desks.clock.now(),
    isRefusal: (rows) => rows instanceof Response,
    // What a text finds stands in the order in which it was read first.
    doesMove: q.trim() === '' || sort !== '',
    rowsAt: async (at) => {
      if (!c.get('isStillKnown')()) throw new ShipbellError('forbidden', 'The token is none any more.')
      const look = await desks.reader?.({ ...looking, url: addressAt(looking.url, at) })
      if (look != null) return readRows(look)
      return await viewedBy(who, async () => await rowsOf(c, { desks, resource, at }))
    },
  })
}

interface AskedRows {
  readonly desks: Desks
  readonly resource: RecordResource
  readonly at: RowsAt
}

async function rowsOf(c: Context<AdminEnv>, { at, desks, resource }: AskedRows): Promise<CsvRows | Response> {
  const desk = desks.deskOf(c.get('asker'))
  const { problems, query } = readList(resource, parameterOf(c), desk)
  const wrong = [...zoneProblems(), ...problems]
  if (wrong.length > 0) return listProblem(wrong)
  const { cursor, isCatchingUp } = at
  const asked = { ...query, ...(isCatchingUp && { order: NEWEST_FIRST }), ...(cursor !== undefined && { cursor }) }
  return await csvRows(desk.store, asked)
}

/** Rows for the process that sends the table, which says in the address what is asked for. */
async function rowsResponse(c: Context<AdminEnv>, desks: Desks, resource: RecordResource): Promise<Response> {
  const cursor = c.req.query('cursor')
  const at = { isCatchingUp: false, ...(cursor !== undefined && { cursor }) }
  const rows = await rowsOf(c, { desks, resource, at })
  return rows instanceof Response ? rows : Response.json(rows)
}

/** The rows of a later slice. Throws where it is refused: the table breaks off. */
function whole(slice: CsvSlice | Response): CsvSlice {
  if (slice instanceof Response)
    throw new ShipbellError('internal', `A slice of the table was refused (${slice.status}).`)
  return slice
}

function addressAt(url: string, { cursor, isCatchingUp }: RowsAt): string {
  const asked = new URL(url)
  asked.searchParams.delete('cursor')
  if (cursor !== undefined) asked.searchParams.set('cursor', cursor)
  if (isCatchingUp) asked.searchParams.set('sort', orderText(NEWEST_FIRST))
  return asked.href
}

/** What the thread answered. */
function readRows({ body, headers, status }: Look): CsvRows | Response {
  if (status === 200) return JSON.parse(Buffer.from(body).toString())
  return new Response(body, { status, headers: new Headers(headers.map(([name, value]) => [name, value])) })
}
