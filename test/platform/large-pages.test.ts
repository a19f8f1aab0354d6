import { array, assert, constantFrom, dictionary, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutgoingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../src/model/json.ts'
import { contentHashOf } from '../../src/model/content-hash.ts'
import { siftList } from '../../src/platform/large/sift-list.ts'
import type { Outcome, Page } from '../../src/platform/outcome.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback } from './loopback.ts'

const LARGE = 'x'.repeat(20_000)

function order(index: number, rest: JsonObject = {}): JsonObject {
  return { po_number: `P-${index}`, name: `Köln ${index}`, text: LARGE, ...rest }
}

const ORDERS = Array.from({ length: 100 }, (_, index) => order(index))

function fields(amount: number): string {
  return Array.from({ length: amount }, (_, at) => `"k${at}":0`).join(',')
}

async function read(
  body: Buffer | string,
  headers: OutgoingHttpHeaders = {},
  known: ReadonlyMap<string, string> = new Map(),
): Promise<Outcome<Page>> {
  await using server = await loopback((_, response) => response.writeHead(200, headers).end(body))
  await using client = clientOf(server.url)
  const outcome = await client.list('purchase_order', { ...FIRST_PAGE, known: null })
  if (outcome.kind !== 'ok') return outcome
  const { value } = outcome
  if (value === 'unchanged') throw new Error('nothing was known')
  return 'rows' in value ? { ...outcome, value } : await value.read({ ids: known, certainIdField: null })
}

async function rows(...args: Parameters<typeof read>): Promise<Page['rows']> {
  const outcome = await read(...args)
  if (outcome.kind !== 'ok') throw new Error('reason' in outcome ? outcome.reason : outcome.kind)
  return outcome.value.rows
}

async function reason(body: Buffer | string): Promise<string> {
  const outcome = await read(body)
  return outcome.kind === 'broken' ? outcome.reason : outcome.kind
}

describe('a page of megabytes', () => {
  test.each([
    ['', Buffer.from(JSON.stringify(ORDERS))],
    ['; charset=iso-8859-1', Buffer.from(JSON.stringify(ORDERS), 'latin1')],
    ['; charset=utf-16', Buffer.from(JSON.stringify(ORDERS), 'utf16le')],
  ])('is read as a small one is%s', async (charset, body) => {
    const found = await rows(body, { 'content-type': `application/json${charset}` })
    expect(found.map(({ id, record }) => [id, record])).toEqual(ORDERS.map((each) => [each.po_number, each]))
    expect(found[7]).toMatchObject({ isKnown: false, contentHash: contentHashOf(JSON.stringify(ORDERS[7])) })
  })

  test('knows rows again', async () => {
    const known = new Map([[contentHashOf(JSON.stringify(ORDERS[3])), 'P-3']])
    const found = await rows(JSON.stringify(ORDERS), {}, known)
    expect(found.filter((row) => row.kind === 'record' && row.isKnown)).toHaveLength(1)
    expect(found[3]).toMatchObject({ id: 'P-3', isKnown: true, record: ORDERS[3] })
  })

  test.each<[string, string, string]>([
    ['2,000,000 bytes', `"x":"${'x'.repeat(2_000_000)}"`, 'more than 1048576 bytes'],
    ['5,000 fields', fields(5_000), 'more than 2000 fields'],
    ['80,000 fields', fields(80_000), 'more than 2000 fields'],
    ['deep brackets', `"x":${'['.repeat(700_000)}${']'.repeat(700_000)}`, 'more than 1048576 bytes'],
  ])('with a record of %s rejects that one, and says which', async (_, rest, found) => {
    const huge = `{"name":"}{][,\\"","lines":[{"id":7}],${rest},"po_number" : "P-H"}`
    const [before, own, after] = await rows(
      `[${JSON.stringify(order(1))}, ${huge} ,${JSON.stringify(order(2, { more: LARGE.repeat(15) }))}]`,
    )
    expect([before?.id, after?.id]).toEqual(['P-1', 'P-2'])
    expect(own).toMatchObject({ kind: 'rejected', id: 'P-H', reason: expect.stringContaining(found) })
  })

  test('with bytes that are no text rejects their record', async () => {
    const body = Buffer.concat([
      Buffer.from(`[${ORDERS.map((each) => JSON.stringify(each)).join(',')},{"po_number":"P-B","name":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}]'),
    ])
    const found = await rows(body)
    expect(found.filter(({ kind }) => kind === 'record')).toHaveLength(100)
    expect(found[100]).toMatchObject({
      kind: 'rejected',
      id: 'P-B',
      reason: expect.stringContaining('not valid in utf-8'),
    })
  })

  test('that is none is broken, and says what it is', { tags: 'long' }, async () => {
    const whole = JSON.stringify(ORDERS)
    expect(await reason(whole.slice(0, -1))).toContain('JSON that is cut off or malformed')
    expect(await reason(whole.replace('"P-50"', '"P-50'))).toContain('malformed')
    expect(await reason(whole.replace('"P-50"', 'P-50'))).toContain('malformed')
    expect(await reason(JSON.stringify({ data: ORDERS }))).toContain('an object instead of a list')
    expect(await reason('<p>'.repeat(500_000))).toContain('an HTML or XML page')
    expect(await reason(`[${'{},'.repeat(400_000)}{}]`)).toContain('more than 100000 rows')
  })

  test('of an item is rejected, or broken where it is no object', async () => {
    let body = JSON.stringify({ po_number: 'P-1', text: 'x'.repeat(2_000_000) })
    await using server = await loopback((_, response) => response.end(body))
    await using client = clientOf(server.url)
    expect(await client.item('purchase_order', 'P-1')).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('more than 1048576 bytes'),
    })
    body = '<p>'.repeat(500_000)
    expect(await client.item('purchase_order', 'P-1')).toMatchObject({ kind: 'broken' })
  })
})

test('rows are found where parsing the whole finds them, whatever they hold', () => {
  const records = array(dictionary(string(), jsonValue({ maxDepth: 4 })))
  assert(
    property(records, constantFrom(undefined, 1, '\t', '\r\n'), (values, space) => {
      const body = Buffer.from(JSON.stringify(values, null, space))
      const sifted = siftList(body)
      if (sifted.kind !== 'rows') throw new Error(sifted.kind)
      const found = sifted.starts.map((start, index) => JSON.parse(body.toString('utf8', start, sifted.ends[index])))
      expect(found).toEqual(JSON.parse(body.toString()))
    }),
  )
})
