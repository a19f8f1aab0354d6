import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxCommand } from '../../src/cli/sandbox.ts'
import { readDeliveries, startSandbox } from '../../src/sandbox/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { deliveriesCsv } from './deliveries-csv.ts'
import { commandContext } from '../support/command-context.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'shipbell-data-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: string | Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

const CSV = deliveriesCsv({ 'Item Description': 'Says "30, mg"\nand goes on' }, { ID: '2', 'ASN/DN #': 'DN-1' })

describe('a file of deliveries', () => {
  it.each([
    ['plain', 'a.csv', CSV],
    ['gzipped', 'a.csv.gz', gzipSync(CSV)],
    ['gzipped under another name', 'b.csv', gzipSync(CSV)],
    ['with a byte order mark', 'c.csv', `\uFEFF${CSV}`],
    ['gzipped with a byte order mark', 'd.csv.gz', gzipSync(`\uFEFF${CSV}`)],
    ['with lines that end as on Windows', 'e.csv', CSV.replaceAll(/\n(?!and)/g, '\r\n')],
    ['with empty lines at its end', 'f.csv', `${CSV}\n\n`],
    ['without a line end at its end', 'g.csv', CSV.trimEnd()],
  ])('is read %s', (_how, name, content) => {
    const read = readDeliveries(write(name, content))
    expect(read.map(({ id }) => id)).toEqual(['ASN-8', 'DN-1'])
    expect(read[0]?.lines[0]?.item.description).toBe('Says "30, mg"\nand goes on')
  })

  it.each([
    ['that is cut off', gzipSync(CSV).subarray(0, 60), /^--data cannot read .*cut\.csv \(.+\); name a CSV file/],
    ['that is not UTF-8', Buffer.from([0x41, 0xff, 0x0a]), /^--data cannot read .*; name a CSV file in UTF-8/],
    ['that is empty', '', /cut\.csv has no column "ASN\/DN #"/],
    ['of something else', 'a,b\n1,2\n', /cut\.csv has no column "ASN\/DN #"; --data needs a CSV of deliveries\.$/],
    ['with a torn row', `${CSV}1,2,3\n`, /cut\.csv is not a CSV file: .*\.$/],
    ['with an open quote', `${CSV}"1,2,3\n`, /cut\.csv is not a CSV file: .*\.$/],
    [
      'with a day that is none',
      deliveriesCsv({}, { 'Delivery Recorded Date': '31-Feb-10' }),
      /cut\.csv, row 3: "31-Feb-10" under "Delivery Recorded Date" is no day; correct it or leave the row out\.$/,
    ],
    ['with a line of no shipment', deliveriesCsv({ 'ASN/DN #': ' ' }), /row 2: the column "ASN\/DN #" is empty;/],
  ])('%s is refused in one sentence', (_what, content, message) => {
    const file = write('cut.csv', content)
    expect(() => readDeliveries(file)).toThrow(
      expect.objectContaining({ name: 'ShipbellError', code: 'usage', message: expect.stringMatching(message) }),
    )
  })
})

describe('a sandbox with data', () => {
  it('starts at the first day of the data and serves it as time goes by', async () => {
    const clock = new FakeClock()
    await using sandbox = await startSandbox({
      port: 0,
      shipments: 30,
      speed: 86_400,
      seed: '1',
      apiKey: 'k',
      clock,
      deliveries: readDeliveries(write('served.csv', CSV)),
    })
    const get = async (address: string): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(sandbox.url + address, { headers: { authorization: 'Bearer k' } })
      return { status: response.status, body: await response.json() }
    }
    expect(sandbox.calendarNow()).toBe(Date.UTC(2006, 5, 2))
    const shipment = { platform_shipment_id: 'DN-1', status: 'booked' }
    expect(await get('/v1/shipments')).toMatchObject({ status: 200, body: [{ name: 'ASN-8' }, shipment] })
    expect(await get('/v1/shipments/DN-1')).toMatchObject({ status: 200, body: shipment })
    expect(await get('/v1/shipments?skip=2')).toMatchObject({ status: 404, body: { error: {} } })
    expect(await get('/v1/tracking/DN-1')).toMatchObject({ status: 404 })
    expect(await get('/v1/purchaseOrders')).toMatchObject({ status: 200, body: [{ po_number: 'SCMS-4' }] })
    expect(await get('/v1/purchaseOrders/SCMS-4')).toMatchObject({ status: 200, body: { po_number: 'SCMS-4' } })
    for (const list of ['invoices', 'documents', 'locations'])
      expect(await get(`/v1/${list}`)).toEqual({ status: 200, body: [] })
    clock.jump(clock.now() + 4_500)
    expect(await get('/v1/shipments/DN-1')).toMatchObject({ body: { status: 'finished' } })
  })
})

it('shipbell sandbox --data takes a path from where it is called, and says how many shipments there are', async () => {
  write('told.csv', CSV)
  const stopped = new AbortController()
  let text = ''
  const print = (part: string): void => {
    text += part
    stopped.abort()
  }
  const context = commandContext({
    stdout: { write: print },
    stderr: { write: print },
    cwd: folder,
    signal: stopped.signal,
    setExitCode: () => expect.unreachable(),
  })
  await sandboxCommand(context).parseAsync(['--port', '0', '--data', 'told.csv'], { from: 'user' })
  expect(text).toContain('2 shipments, 60 times faster than real time, from told.csv,')
})
