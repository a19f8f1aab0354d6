import { randomBytes } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { asData, dataBlock, shortData, shortLine } from './data-block.ts'

/** What a tool answers, before it is put into the protocol's form. */
export interface Answer {
  /** Sentences of Shipbell's own: nothing of a record is in them. */
  readonly lead: readonly string[]
  /** Lines of what records hold, made by `dataLine`. */
  readonly data: readonly string[]
  /** What programs read. Texts in it are escaped and cut as those of lines are. */
  readonly structured: JsonObject
  /** Where the list goes on; null: nothing follows; left out: the answer is no list. */
  readonly next?: string | null
}

/** How many bytes an answer has at most, its text and what is structured together: 25 kB, with room for the protocol's frame. */
const MOST_BYTES = 24_000
/** How many rows are tried, one amount after the other, until the answer is small enough. */
const AMOUNTS = [25, 12, 6, 3, 1] as const

/** An answer as the protocol has it. */
export function resultOf({ data, lead, next, structured }: Answer): CallToolResult {
  const mark = randomBytes(8).toString('hex')
  const more =
    next == null ? [] : [`More follows: call again with the same arguments and cursor ${JSON.stringify(next)}.`]
  const text = [...lead, dataBlock(data, mark), ...more].filter((part) => part !== '').join('\n')
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...textsOf(structured, (each) => asData(each)), ...(next !== undefined && { next }) },
  }
}

/** A refusal: one sentence that says what is wrong, where, and what to do. */
export function refusalOf(sentence: string): CallToolResult {
  return { content: [{ type: 'text', text: asData(sentence, 1_000) }], isError: true }
}

/**
 * The first answer that is small enough: `make` is given how many rows it may have. Where one row's texts are too much, there is less
 * of each: what nobody could be shown would end a list there.
 */
export async function fitting(make: (most: number) => Promise<Answer>): Promise<Answer> {
  for (const most of AMOUNTS) {
    const answer = await make(most)
    if (bytesOf(answer) <= MOST_BYTES) return answer
    if (most === 1)
      return { ...answer, data: answer.data.map(shortLine), structured: textsOf(answer.structured, shortData) }
  }
  throw new Error('One row is tried.')
}

export function isTooLarge(result: CallToolResult): boolean {
  return Buffer.byteLength(JSON.stringify(result)) > MOST_BYTES
}

function bytesOf(answer: Answer): number {
  return Buffer.byteLength(JSON.stringify(resultOf(answer)))
}

/** Structured content with each text as `shown` makes it. Addresses stay whole. */
function textsOf(value: JsonObject, shown: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [shown(name), partOf(name, part, shown)]))
}

function partOf(name: string, part: Json, shown: (text: string) => string): Json {
  if (typeof part === 'string') return name === 'url' ? part : shown(part)
  if (isJsonArray(part)) return part.map((each) => partOf('', each, shown))
  return isJsonObject(part) ? textsOf(part, shown) : part
}
