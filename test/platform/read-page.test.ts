import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/model/json.ts'
import { siteOf } from '../../src/platform/site.ts'
import type { Page, Row } from '../../src/platform/outcome.ts'
import { rowsOfValues } from '../../src/platform/page-row.ts'
import { parseExactJson } from '../../src/platform/answer.ts'
import { readPage } from '../../src/platform/read-page.ts'

const excerpt = siteOf('https://platform.example', 'pk_live_4fJ7secret').excerpt

const LOCATIONS = { resource: 'location', shipmentIdField: null, excerpt } as const

function shipments(rows: readonly Json[], shipmentIdField: string | null = null): Page {
  return readPage(rowsOfValues(rows), { resource: 'shipment', shipmentIdField, excerpt })
}

function reasons({ rows }: Page): readonly string[] {
  return rows.map((row) => (row.kind === 'rejected' ? row.reason : `record ${row.id}`))
}

function only(page: Page): Row {
  const [row] = page.rows
  if (row === undefined) throw new Error('no row')
  return row
}

/** A location whose identifier has that many characters. */
function identified(length: number, longestId?: number): Row {
  return only(readPage(rowsOfValues([{ id: 'x'.repeat(length) }]), { ...LOCATIONS, longestId }))
}

function nested(levels: number): Json {
  return parseExactJson(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
}

describe('the identifier of a shipment', () => {
  test('is platform_shipment_id', () => {
    const page = shipments([{ platform_shipment_id: 'SHP 1/2', parent_shipment_id: 'X' }])
    expect(page.shipmentIdField).toBe('platform_shipment_id')
    expect(reasons(page)).toEqual(['record SHP 1/2'])
  })

  test("is the platform's own *_shipment_id, found on the first row that has one", () => {
    const page = shipments([{ name: 'bare' }, null, { acme_shipment_id: 7 }, { acme_shipment_id: 'B' }])
    expect(page.shipmentIdField).toBe('acme_shipment_id')
    expect(reasons(page).slice(2)).toEqual(['record 7', 'record B'])
  })

  test('is the field that was configured or found before, whatever else a row has', () => {
    const page = shipments([{ file: 'F-1', platform_shipment_id: 'P-1' }, { platform_shipment_id: 'P-2' }], 'file')
    expect(page.shipmentIdField).toBe('file')
    expect(reasons(page)).toEqual(['record F-1', '/file should be the identifier, but is missing.'])
  })

  test.each([[''], [null], [true], [[]]])('of %j is none', (platform_shipment_id) => {
    expect(only(shipments([{ platform_shipment_id }]))).toMatchObject({
      kind: 'rejected',
      id: null,
      reason: '/platform_shipment_id should be the identifier, but holds none.',
    })
  })

  test('that could be either of two fields is asked for', () => {
    const page = shipments([{ a_shipment_id: 'A', b_shipment_id: 'B' }])
    expect(page.shipmentIdField).toBeNull()
    expect(reasons(page)[0]).toContain('shipment_id_field can name it')
  })

  test('beyond 2^53 keeps all its digits', () => {
    const row = parseExactJson('{"platform_shipment_id": 90071992547409931}')
    expect(reasons(shipments([row]))).toEqual(['record 90071992547409931'])
  })
})

describe('known rows of a page', () => {
  const [own, usual] = ['acme_shipment_id', 'platform_shipment_id']
  const pages: readonly {
    readonly field: string
    readonly configured?: string
    readonly joining: readonly Json[]
    readonly areKept: boolean
  }[] = [
    { field: own, joining: [{ [own]: 'C' }, { name: 'bare' }, 7], areKept: true },
    { field: own, joining: [{ [own]: 'C', parent_shipment_id: 'X' }], areKept: false },
    { field: own, joining: [{ [usual]: 'C' }], areKept: false },
    { field: own, configured: own, joining: [{ [own]: 'C', parent_shipment_id: 'X' }], areKept: true },
    { field: own, configured: 'file', joining: [{ file: 'C' }], areKept: false },
    { field: usual, joining: [{ [own]: 'C' }, { [usual]: 'D', parent_shipment_id: 'X' }], areKept: true },
  ]

  test.each(pages)('are read as if nothing was known: %j', ({ areKept, configured = null, field, joining }) => {
    const before = ['A', 'B'].map((id) => ({ [field]: id, name: `of ${id}` }))
    const known = before.map((row) => ({ known: String(row[field]), value: row, isText: true, contentHash: '' }))
    const rows = [...known, ...rowsOfValues(joining)]
    const page = readPage(rows, { resource: 'shipment', shipmentIdField: configured, excerpt, certainIdField: field })
    const anew = shipments([...before, ...joining], configured)
    expect({ ...page, rows: reasons(page) }).toEqual({ ...anew, rows: reasons(anew) })
    expect(page.rows.filter((row) => row.kind === 'record' && row.isKnown)).toHaveLength(areKept ? 2 : 0)
  })
})

describe('the identifier of an invoice', () => {
  test('is its reference as text, and its shipment id field stays unknown', () => {
    const rows = [{ reference: 4711, platform_shipment_id: 'S' }, { number: '1' }]
    const page = readPage(rowsOfValues(rows), { resource: 'invoice', shipmentIdField: 'platform_shipment_id', excerpt })
    expect(page.shipmentIdField).toBeNull()
    expect(reasons(page)).toEqual(['record 4711', '/reference should be the identifier, but is missing.'])
  })
})

describe('the identifier of the other resources', () => {
  test.each([
    ['document', { id: 'D-1', platform_shipment_id: 'S' }, 'record D-1'],
    ['document', { id: 17 }, 'record 17'],
    ['document', { platform_shipment_id: 'S' }, '/id should be the identifier, but is missing.'],
    ['location', { id: 7001 }, 'record 7001'],
    ['location', { id: null }, '/id should be the identifier, but holds none.'],
    ['purchase_order', { po_number: 4500010000 }, 'record 4500010000'],
    ['purchase_order', { po_number: 'PO 1/2', reference: 'other' }, 'record PO 1/2'],
    ['purchase_order', { reference: 'other' }, '/po_number should be the identifier, but is missing.'],
  ] as const)('of a %s %j', (resource, row, said) => {
    const page = readPage(rowsOfValues([row]), { resource, shipmentIdField: 'platform_shipment_id', excerpt })
    expect(page.shipmentIdField).toBeNull()
    expect(reasons(page)).toEqual([said])
  })
})

describe('a hostile row', () => {
  test('never spoils the others', () => {
    const page = shipments([
      { platform_shipment_id: 'A' },
      'row',
      null,
      ['B'],
      42,
      { platform_shipment_id: 'C', cargo: 'all of it' },
      { platform_shipment_id: 'D' },
    ])
    expect(reasons(page)).toEqual([
      'record A',
      'The record should be an object, but is "row".',
      'The record should be an object, but is null.',
      'The record should be an object, but is a list of 1.',
      'The record should be an object, but is 42.',
      '/cargo should be an object, but is "all of it".',
      'record D',
    ])
    expect(page.rows[5]).toMatchObject({ id: 'C', record: { platform_shipment_id: 'C', cargo: 'all of it' } })
  })

  test('may be nested 64 levels deep and no deeper', () => {
    expect(only(shipments([{ platform_shipment_id: 'A', extra: nested(63) }])).kind).toBe('record')
    expect(only(shipments([{ platform_shipment_id: 'A', extra: nested(64) }]))).toMatchObject({
      kind: 'rejected',
      id: 'A',
      reason: 'The record is nested deeper than 64 levels.',
    })
  })

  test('nested 100,000 levels deep is rejected without overflowing a stack', () => {
    const page = shipments([{ platform_shipment_id: 'A', cargo: nested(100_000) }, { platform_shipment_id: 'B' }])
    expect(reasons(page)).toEqual(['The record is nested deeper than 64 levels.', 'record B'])
  })

  test('with a value of 5 MB is told in 60 characters', () => {
    const row = only(shipments([{ platform_shipment_id: 'A', cargo: 'x'.repeat(5_000_000) }]))
    expect(row).toMatchObject({ reason: `/cargo should be an object, but is "${'x'.repeat(59)}…".` })
  })

  test('with the API key in it does not tell it', () => {
    const row = only(shipments([{ platform_shipment_id: 'A', cargo: `${'x'.repeat(50)}pk_live_4fJ7secret` }]))
    expect(row).toMatchObject({ reason: expect.not.stringContaining('pk_live') })
  })

  test('with __proto__, constructor and hasOwnProperty keys passes as the data it is', () => {
    const text =
      '{"__proto__":{"platform_shipment_id":"no"},"constructor":1,"hasOwnProperty":2,"platform_shipment_id":"A"}'
    const row = only(shipments([parseExactJson(text)]))
    expect(row).toMatchObject({ kind: 'record', id: 'A' })
    expect(JSON.stringify(row.record)).toBe(text)
    expect('platform_shipment_id' in {}).toBe(false)
  })

  test('whose identifier is longer than the store can keep is rejected', () => {
    expect(identified(501)).toMatchObject({ kind: 'record' })
    expect(identified(500, 500)).toMatchObject({ kind: 'record' })
    const reason = 'The identifier is longer than 500 characters, and the database could not find it again.'
    expect(identified(501, 500)).toMatchObject({ kind: 'rejected', id: null, reason })
  })

  test('whose identifier is inherited has none', () => {
    const row = only(shipments([parseExactJson('{"__proto__":{"platform_shipment_id":"no"}}')]))
    expect(row).toMatchObject({ kind: 'rejected', id: null })
  })
})
