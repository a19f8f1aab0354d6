import { describe, expect, test } from 'vitest'
import type { OutgoingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../src/model/json.ts'
import type { Outcome, Page, Unchanged } from '../../src/platform/outcome.ts'
import type { UnreadPage } from '../../src/platform/platform.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback } from './loopback.ts'

interface Sent {
  readonly headers?: OutgoingHttpHeaders
  readonly body: Buffer
}

async function listed({ body, headers = {} }: Sent): Promise<Outcome<Page | UnreadPage | Unchanged>> {
  await using server = await loopback((_, response) => response.writeHead(200, headers).end(body))
  await using client = clientOf(server.url)
  return await client.list('purchase_order', FIRST_PAGE)
}

async function fetched({ body, headers = {} }: Sent): Promise<Outcome<JsonObject>> {
  await using server = await loopback((_, response) => response.writeHead(200, headers).end(body))
  await using client = clientOf(server.url)
  return await client.item('purchase_order', 'P-1')
}

function rows(outcome: Outcome<Page | UnreadPage | Unchanged>): unknown {
  if (outcome.kind !== 'ok') return [outcome.kind, 'reason' in outcome ? outcome.reason : null]
  const { value } = outcome
  if (value === 'unchanged' || !('rows' in value)) return value
  return value.rows.map((row) =>
    row.kind === 'record' ? [row.id, row.record.name ?? null] : [row.kind, row.id, row.reason],
  )
}

function typed(charset: string): OutgoingHttpHeaders {
  return { 'content-type': `application/json; charset=${charset}` }
}

function text(...orders: readonly (readonly [id: string, name: string])[]): string {
  return JSON.stringify(orders.map(([id, name]) => ({ po_number: id, name })))
}

const PAGE = text(['CAFÉ-1', 'Köln'], ['CAFÈ-1', 'Kâln'])
const READ = [
  ['CAFÉ-1', 'Köln'],
  ['CAFÈ-1', 'Kâln'],
]

function utf16be(written: string): Buffer {
  return Buffer.from(written, 'utf16le').swap16()
}

const MARK = '\uFEFF'

describe('the charset of an answer', () => {
  test.each([
    ['iso-8859-1', Buffer.from(PAGE, 'latin1')],
    ['ISO-8859-1', Buffer.from(PAGE, 'latin1')],
    ['latin1', Buffer.from(PAGE, 'latin1')],
    ['"windows-1252"', Buffer.from(PAGE, 'latin1')],
    [`'latin1'`, Buffer.from(PAGE, 'latin1')],
    ['cp1252 ; profile=x', Buffer.from(PAGE, 'latin1')],
    ['utf-16le', Buffer.from(PAGE, 'utf16le')],
    ['utf-16be', utf16be(PAGE)],
    ['utf-16', utf16be(PAGE)],
    ['utf-16', Buffer.from(PAGE, 'utf16le')],
    ['utf-16', utf16be(MARK + PAGE)],
    ['utf-16', Buffer.from(MARK + PAGE, 'utf16le')],
    ['utf-8', Buffer.from(PAGE)],
    ['UTF8', Buffer.from(PAGE)],
    ['us-ascii', Buffer.from(PAGE)],
    ['x-of-nobody', Buffer.from(PAGE)],
    ['', Buffer.from(PAGE)],
    ['iso-8859-1', Buffer.from(MARK + PAGE)],
    ['utf-8', Buffer.from(MARK + PAGE)],
  ])('is that which it declares: %s', async (charset, body) => {
    expect(rows(await listed({ headers: typed(charset), body }))).toEqual(READ)
  })

  test('is that of its byte order mark, and else UTF-8, where it declares none', async () => {
    expect(rows(await listed({ body: Buffer.from(PAGE) }))).toEqual(READ)
    expect(rows(await listed({ body: Buffer.from(MARK + PAGE, 'utf16le') }))).toEqual(READ)
  })

  test('holds for other alphabets, the euro sign, and records that are fetched by their id', async () => {
    const opening = Buffer.from('[{"po_number":"P-1","name":"')
    const named = Buffer.concat([opening, Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]), Buffer.from('"}]')])
    expect(rows(await listed({ headers: typed('windows-1251'), body: named }))).toEqual([['P-1', 'Москва']])
    const euro = Buffer.concat([opening, Buffer.from([0x80]), Buffer.from('"}]')])
    expect(rows(await listed({ headers: typed('windows-1252'), body: euro }))).toEqual([['P-1', '€']])
    const body = Buffer.from('{"po_number":"P-1","supplier_name":"Köln"}', 'latin1')
    const outcome = await fetched({ headers: typed('iso-8859-1'), body })
    expect(outcome).toMatchObject({ kind: 'ok', value: { supplier_name: 'Köln' } })
  })

  test('in which a record holds bytes that are no text: only that record is rejected, and says where', async () => {
    const body = Buffer.concat([
      Buffer.from('[{"po_number":"P-1","name":"Köln"},'),
      Buffer.from('{"po_number":"P-2","name":"Köln"},', 'latin1'),
      Buffer.from('{"name":"x","po_number":"P-3é"},', 'latin1'),
      Buffer.from('{"po_number":"P-4","name":"\uFFFD"},'),
      Buffer.from('{"po_number":"P-5","Stra\u00dfe":"y"},', 'latin1'),
      Buffer.from([...Buffer.from('{"po_number":'), 0xff, ...Buffer.from('},')]),
      Buffer.from('{"po_number":"P-6"}]'),
    ])
    expect(rows(await listed({ body }))).toEqual([
      ['P-1', 'Köln'],
      ['rejected', 'P-2', '/name holds bytes that are not valid in utf-8: "K�ln".'],
      ['rejected', null, '/po_number holds bytes that are not valid in utf-8: "P-3�".'],
      ['P-4', '\uFFFD'],
      ['rejected', 'P-5', 'The record holds bytes that are not valid in utf-8.'],
      ['rejected', null, 'The record holds bytes that are not valid in utf-8.'],
      ['P-6', null],
    ])
    const cut = Buffer.concat([Buffer.from(text(['P-1', 'Köln'], ['P-2', 'x']), 'utf16le').subarray(0, -8)])
    const lone = Buffer.from([0x00, 0xd8])
    const utf16 = Buffer.concat([cut, lone, Buffer.from('"}]', 'utf16le')])
    expect(rows(await listed({ headers: typed('utf-16le'), body: utf16 }))).toEqual([
      ['P-1', 'Köln'],
      ['rejected', 'P-2', '/name holds bytes that are not valid in utf-16le: "�".'],
    ])
  })

  test('in which rows cannot be told apart is no list, and a record that is fetched is rejected', async () => {
    const broken = Buffer.concat([Buffer.from('[{"po_number":"P-1"}'), Buffer.from([0xff]), Buffer.from('{"a":1}]')])
    expect(rows(await listed({ body: broken }))).toMatchObject(['broken', expect.stringContaining('malformed')])
    const body = Buffer.from('{"po_number":"P-1","name":"Köln"}', 'latin1')
    expect(await fetched({ body })).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('/name holds bytes that are not valid in utf-8: "K�ln".'),
    })
  })

  test('is part of what an answer is known by', async () => {
    let charset = 'utf-8'
    await using server = await loopback((_, response) => response.writeHead(200, typed(charset)).end(Buffer.from(PAGE)))
    await using client = clientOf(server.url)
    const first = await client.list('purchase_order', FIRST_PAGE)
    const known = first.kind === 'ok' ? (first.validator ?? null) : null
    expect(await client.list('purchase_order', { ...FIRST_PAGE, known })).toMatchObject({ value: 'unchanged' })
    charset = 'windows-1252'
    expect(await client.list('purchase_order', { ...FIRST_PAGE, known })).toMatchObject({ value: { kind: 'unread' } })
  })
})
