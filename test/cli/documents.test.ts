import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsCommand } from '../../src/cli/documents.ts'
import { field, isJsonArray, textField, type Json } from '../../src/model/json.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { runCommand, type Outcome } from './run-command.ts'

let sandbox: Sandbox
const clock = new FakeClock()

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, shipments: 12, speed: 1, seed: '1', apiKey: 'k', clock })
})
afterAll(async () => sandbox[Symbol.asyncDispose]())

async function get(
  args: readonly string[],
  { url = sandbox.url, isTTY = false } = {},
): Promise<Outcome & { cwd: string }> {
  const config = `accounts:
  acme: { base_url: '${url}', api_key: k }
subscriptions:
  erp: { url: 'https://erp.example/', secret: ${SECRET}, events: ['*'] }
`
  const cwd = scratchFolder({ 'shipbell.yaml': config })
  return { ...(await runCommand(documentsCommand, ['get', ...args], { cwd, isTTY })), cwd }
}

async function firstDocument(): Promise<Json> {
  const answer = await fetch(`${sandbox.url}/v1/documents?take=1`, { headers: { authorization: 'Bearer k' } })
  const list: Json = JSON.parse(await answer.text())
  return isJsonArray(list) ? (list[0] ?? null) : null
}

test('the file of a document is saved whole, as large as the platform says', async () => {
  const document = await firstDocument()
  const { cwd, ...outcome } = await get([textField(document, 'id') ?? '', '-o', 'list.pdf'])
  const size = field(document, 'size')
  expect(outcome).toEqual({ exitCode: 0, stdout: `${path.join(cwd, 'list.pdf')}: ${Number(size)} bytes\n`, stderr: '' })
  const bytes = readFileSync(path.join(cwd, 'list.pdf'))
  expect([bytes.length, bytes.toString('latin1', 0, 5), bytes.toString('latin1').trimEnd().slice(-5)]).toEqual([
    size,
    '%PDF-',
    '%%EOF',
  ])
})

test.each([
  [['nothing', '-o', 'x.pdf'], {}, { exitCode: 1, says: 'The platform has no document "nothing".' }],
  [['nothing'], { isTTY: true }, { exitCode: 2, says: 'save it with -o FILE' }],
  [['nothing', '-o', 'x.pdf'], { url: 'http://127.0.0.1:9' }, { exitCode: 3, says: 'refused the connection' }],
])('%j with %j fails', async (args, about, { exitCode, says }) => {
  const outcome = await get(args, about)
  expect(outcome).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) })
  expect(readdirSync(outcome.cwd)).toEqual(['shipbell.yaml'])
})

async function statuses(...links: readonly string[]): Promise<readonly number[]> {
  return Promise.all(links.map(async (each) => (await fetch(each)).status))
}

test('a link of the sandbox holds for a quarter of an hour, and only as it was signed', async () => {
  const link = textField(await firstDocument(), 'link') ?? ''
  expect(await statuses(link, link.replace('/doc_', '/doc_x'), link.replace(/\?.*/, ''))).toEqual([200, 403, 403])
  await clock.advance(16 * 60_000)
  expect(await statuses(link)).toEqual([403])
})
