import { setImmediate as nextTurn } from 'node:timers/promises'
import { header } from '../../http/exchange.ts'
import { contentHashOf } from '../../model/content-hash.ts'
import { parseExactJson, type PlatformAnswer } from '../answer.ts'
import type { Page } from '../outcome.ts'
import { KnownRow, type PageRow } from '../page-row.ts'
import type { KnownRows } from '../platform.ts'
import { pageReader, type PageReading } from '../read-page.ts'
import { MOST_FIELDS, MOST_LIST_ROWS, MOST_RECORD_BYTES, type HugeRow } from './sift-list.ts'
import { sifter } from './sifter.ts'

/** How much is parsed and judged between two turns of the others. */
const BYTES_AT_ONCE = 128 * 1024
/** Rows may be of some bytes each. */
const ROWS_AT_ONCE = 1_000

type LargePage = { readonly kind: 'page'; readonly page: Page } | { readonly kind: 'broken'; readonly found: string }

/** Reads the rows of a large answer: another thread finds them, and they are parsed and judged in turns with everything else. */
export async function readLargePage(
  { chunks, headers }: PlatformAnswer,
  known: KnownRows['ids'],
  reading: Omit<PageReading, 'charset'>,
): Promise<LargePage> {
  const { body, charset, list, noText } = await sifter.sift(chunks, header(headers, 'content-type'))
  if (list.kind !== 'rows') return { kind: 'broken', found: foundInstead(list.kind, body) }
  const { ends, huge, starts } = list
  const hugeAt = new Map(huge.map((row) => [row.index, row]))
  const withoutText = new Set(noText)
  const turns = new Turns()
  const rows: PageRow[] = []
  for (const [index, start] of starts.entries()) {
    const text = body.subarray(start, ends[index])
    const hugeRow = hugeAt.get(index)
    const row = hugeRow === undefined ? rowOf(text, known, !withoutText.has(index)) : rowOfHuge(hugeRow)
    if (row === null) return { kind: 'broken', found: 'JSON that is malformed' }
    rows.push(row)
    await turns.after(hugeRow === undefined ? text.length : 0)
  }
  const reader = pageReader(rows, { ...reading, charset })
  const read: Page['rows'][number][] = []
  for (const [index, row] of rows.entries()) {
    read.push(reader.read(row))
    await turns.after((ends[index] ?? 0) - (starts[index] ?? 0))
  }
  return { kind: 'page', page: { ...reader.page, rows: read } }
}

/** Lets others go on. */
class Turns {
  #bytes = 0
  #rows = 0

  async after(bytes: number): Promise<void> {
    this.#bytes += Math.min(bytes, MOST_RECORD_BYTES)
    this.#rows += 1
    if (this.#bytes < BYTES_AT_ONCE && this.#rows < ROWS_AT_ONCE) return
    this.#bytes = 0
    this.#rows = 0
    await nextTurn()
  }
}

/** The row of a text; null: it is no JSON. */
function rowOf(text: Buffer, known: KnownRows['ids'], isText: boolean): PageRow | null {
  const contentHash = contentHashOf(text)
  const id = known.get(contentHash)
  if (id !== undefined) return new KnownRow(id, contentHash, text)
  try {
    return { known: null, isText, contentHash, value: parseExactJson(text.toString()) }
  } catch {
    return isText ? null : { known: null, isText, contentHash, value: null }
  }
}

function rowOfHuge({ bytes, stub }: HugeRow): PageRow {
  const excess =
    bytes > MOST_RECORD_BYTES
      ? `The record has more than ${MOST_RECORD_BYTES} bytes.`
      : `The record has an object of more than ${MOST_FIELDS} fields.`
  const value = rowOf(Buffer.from(stub), new Map(), true)?.value ?? null
  return { known: null, isText: true, excess, contentHash: '', value }
}

function foundInstead(kind: 'no_list' | 'malformed' | 'too_many', body: Buffer): string {
  if (kind === 'too_many') return `more than ${MOST_LIST_ROWS} rows`
  if (kind === 'malformed') return 'JSON that is cut off or malformed'
  const start = body.subarray(0, 100).toString().trimStart()
  if (start.startsWith('{')) return 'an object instead of a list'
  return start.startsWith('<') ? 'an HTML or XML page instead of JSON' : 'something that is not JSON'
}
