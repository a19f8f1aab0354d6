import { Readable } from 'node:stream'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiCommand } from '../../src/cli/api.ts'
import { textField } from '../../src/model/json.ts'
import { createdThroughShipbell } from '../../src/poll/items/created-preparations.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { loopback } from '../platform/loopback.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { runCommand, type Outcome } from './run-command.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    shipments: 12,
    speed: 1,
    seed: '1',
    apiKey: 'k',
    clock: new FakeClock(),
  })
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

const ORDER = '{"reference":"PO-A","product_lines":[{"ordered_quantity":3}]}'

interface Where {
  readonly accounts?: string
  readonly files?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly storage?: string
  readonly isTTY?: boolean
}

function account(url: string, key = 'k'): string {
  return `{ base_url: "${url}", api_key: ${key} }`
}

async function api(args: readonly string[], where: Where = {}): Promise<Outcome> {
  const { accounts = `  acme: ${account(sandbox.url)}`, files = {}, stdin = '', isTTY = false, storage } = where
  const config = `accounts:\n${accounts}\nsubscriptions:\n  erp: { url: "https://erp.example/hooks", secret: ${SECRET}, events: ["*"] }\n${storage === undefined ? '' : `storage: { path: ${storage} }\n`}`
  const cwd = scratchFolder({ 'shipbell.yaml': config, ...files })
  return runCommand((context) => apiCommand(context, () => Readable.from([stdin])), args, { cwd, isTTY })
}

function json({ stdout }: Outcome): unknown {
  return JSON.parse(stdout)
}

describe('shipbell api', () => {
  test('prints the answer as indented JSON and exits 0', async () => {
    const outcome = await api(['GET', '/v1/shipments?take=2'])
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
    expect(json(outcome)).toHaveLength(2)
    expect(outcome.stdout).toMatch(/^\[\n {2}\{\n {4}"name": /)
  })

  test('has an order preparation that it created watched from then on', async () => {
    const cwd = scratchFolder({})
    const storage = path.join(cwd, 'shipbell.db')
    await openStore({ path: storage })[Symbol.asyncDispose]()
    const accounts = `  acme: { base_url: "${sandbox.url}", api_key: k, watch: { order_preparations: {} } }`
    const files = { 'op.json': '{"name":"Spring"}', 'bad.json': '[]' }
    const outcome = await api(['POST', 'orderPreparations?x=1', '--data', 'op.json'], { accounts, files, storage })
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
    const reference = textField(JSON.parse(outcome.stdout), 'reference')
    await api(['POST', 'orderPreparations', '--data', 'bad.json'], { accounts, files, storage })
    await using store = openStore({ path: storage })
    expect(await createdThroughShipbell(store, 'acme')).toEqual([reference])
  })

  test.each([
    ['there is no store', '{}', 'There is no store yet: list '],
    ['the account watches none', '', 'The account acme watches no order preparations: add `order_preparations: {}`'],
  ])('says of an order preparation that it created where %s', async (_, watch, said) => {
    const cwd = scratchFolder({})
    const storage = path.join(cwd, 'shipbell.db')
    if (watch === '') await openStore({ path: storage })[Symbol.asyncDispose]()
    const accounts = `  acme: { base_url: "${sandbox.url}", api_key: k, watch: { ${watch && `order_preparations: ${watch}`} } }`
    const files = { 'op.json': '{"name":"Spring"}' }
    const outcome = await api(['POST', '/v1/orderPreparations', '--data', 'op.json'], { accounts, files, storage })
    expect(outcome).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(said) })
  })

  test('takes the method in any case and the path without /v1', async () => {
    const outcome = await api(['get', 'orderPreparations/OP-1'])
    expect([outcome.exitCode, json(outcome)]).toEqual([0, expect.objectContaining({ incoterm: expect.any(String) })])
  })

  test('writes what a file holds, and reads it back', async () => {
    const created = await api(['POST', 'purchaseOrders', '--data', 'order.json'], { files: { 'order.json': ORDER } })
    expect([created.exitCode, json(created)]).toEqual([0, { reference: 'PO-A' }])
    const changed = await api(['PATCH', 'purchaseOrders', '--data', '-'], {
      stdin: '{"reference":"PO-A","product_lines":[{"ordered_quantity":8}]}',
    })
    expect(changed.exitCode).toBe(0)
    expect(json(await api(['GET', 'purchaseOrders/PO-A']))).toMatchObject({
      purchase_order_lines: [{ ordered_quantity: 8 }],
    })
  })

  test('exits 1 on another status, with the body on stdout and the reason on stderr', async () => {
    const missing = await api(['GET', 'shipments/none'])
    expect(missing.exitCode).toBe(1)
    expect(json(missing)).toMatchObject({ error: { status: 404 } })
    expect(missing.stderr).toMatch(
      /^127\.0\.0\.1:\d+ answered GET \/v1\/shipments\/none with 404: "There is no shipment "none"\."\.\n$/,
    )
    const bad = await api(['POST', 'purchaseOrders', '--data', '-'], { stdin: '{}' })
    expect([bad.exitCode, bad.stderr]).toEqual([1, expect.stringContaining('with 400: "The field reference must be')])
    const unauthorized = await api(['GET', 'shipments'], { accounts: `  acme: ${account(sandbox.url, 'wrong')}` })
    expect([unauthorized.exitCode, unauthorized.stderr]).toEqual([1, expect.stringContaining('with 401')])
  })

  test('exits 2 for an endpoint that does not exist, and says which do', async () => {
    const outcome = await api(['DELETE', '/v1/shipments'])
    expect(outcome.exitCode).toBe(2)
    for (const endpoint of ['GET   /v1/tracking/:id', 'PATCH /v1/purchaseOrders', 'POST  /v1/orderPreparations'])
      expect(outcome.stderr).toContain(endpoint)
  })

  test.each([
    [['POST', 'purchaseOrders', '--data', 'broken.json'], /^broken\.json is not JSON \(.*\); correct it\.$/],
    [['POST', 'purchaseOrders', '--data', '-'], /^Standard input is not JSON \(.*\); correct it\.$/],
    [
      ['POST', 'purchaseOrders', '--data', 'none.json'],
      /^The file none\.json of --data cannot be read \(ENOENT\); .*\.$/,
    ],
    [['POST', 'purchaseOrders'], /^A POST needs a body: .*--data FILE/],
    [['GET', 'shipments', '--data', '-'], /^A GET carries no body: leave out --data/],
    [['GET', 'shipments', '--account', 'acne'], /^shipbell\.yaml has no account "acne": did you mean acme\?$/],
    [['GET', 'shipments', '-c', 'none.yaml'], /none\.yaml/],
  ])('exits 2 for %j', async (args, sentence) => {
    const outcome = await api(args, { files: { 'broken.json': '{"reference":' } })
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  test('asks which account where there are several, and uses its credentials', async () => {
    const accounts = `  acme: ${account('http://127.0.0.1:1')}\n  beta: ${account(sandbox.url)}`
    expect(await api(['GET', 'shipments'], { accounts })).toMatchObject({
      exitCode: 2,
      stderr: 'shipbell.yaml has several accounts: choose one with --account (acme, beta).',
    })
    expect(await api(['GET', 'shipments', '--account', 'beta'], { accounts })).toMatchObject({ exitCode: 0 })
  })

  test('exits 3 where nobody answers, and for a write says what is not known', async () => {
    const accounts = `  acme: ${account('http://127.0.0.1:1')}`
    const read = await api(['GET', 'shipments'], { accounts })
    expect(read).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringMatching(/^127\.0\.0\.1:1 refused /) })
    const write = await api(['POST', 'purchaseOrders', '--data', '-'], { accounts, stdin: ORDER })
    expect(write).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/read it back before sending it again\.$/),
    })
  })

  test('prints numbers digit for digit as they were sent', async () => {
    await using page = await loopback((_request, response) =>
      response.writeHead(200).end('[{"id":12345678901234567890,"price":1.10}]'),
    )
    const outcome = await api(['GET', 'locations'], { accounts: `  acme: ${account(page.url)}` })
    expect(outcome.stdout).toBe('[\n  {\n    "id": 12345678901234567890,\n    "price": 1.10\n  }\n]\n')
  })

  test('prints text as it is, and nothing that could steer a terminal', async () => {
    await using page = await loopback((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<p>\u001B[31mBad\u009B gateway</p>\n'),
    )
    const accounts = `  acme: ${account(page.url)}`
    const piped = await api(['GET', 'shipments'], { accounts })
    expect([piped.exitCode, piped.stdout]).toEqual([1, '<p>\u001B[31mBad\u009B gateway</p>\n'])
    const shown = await api(['GET', 'shipments'], { accounts, isTTY: true })
    expect(shown.stdout).toBe('<p>\u{FFFD}[31mBad\u{FFFD} gateway</p>\n')
    expect(shown.stderr).toMatch(/with 502: ".*"\.\n$/)
  })

  test('prints JSON on a terminal so that it says the same and steers nothing', async () => {
    const sent = '{"a\u202E":"x\u009B31m\u2028","b":[1.10]}'
    await using page = await loopback((_request, response) => response.writeHead(200).end(sent))
    const accounts = `  acme: ${account(page.url)}`
    const shown = await api(['GET', 'shipments'], { accounts, isTTY: true })
    expect(shown.stdout).toMatch(/^[\x20-\x7e\n]*$/)
    expect(json(shown)).toEqual(JSON.parse(sent))
    expect((await api(['GET', 'shipments'], { accounts })).stdout).toContain('x\u009B31m\u2028')
  })

  test('shows no configured secret, however the platform writes it, and prints JSON all the same', async () => {
    const key = 'pk/live+87654321'
    const sent = `{"auth":"Bearer pk\\/live\\u002b87654321","key":"pk\\u002Flive+87654321","pk%2Flive%2B87654321":[1.10, 2]}`
    await using page = await loopback(({ url }, response) =>
      response.writeHead(200).end(url?.includes('text') === true ? `no: ${key} &#x2f; ${SECRET}` : sent),
    )
    const accounts = `  acme: ${account(page.url, key)}`
    const outcome = await api(['GET', 'shipments'], { accounts })
    expect(json(outcome)).toEqual({ auth: 'Bearer [redacted]', key: '[redacted]', '[redacted]': [1.1, 2] })
    expect(outcome.stdout).toContain('1.10')
    expect((await api(['GET', 'shipments?text=1'], { accounts })).stdout).toBe('no: [redacted] &#x2f; [redacted]\n')
    const numeric = `  acme: ${account(page.url, '"87654321"')}`
    await using numbers = await loopback((_request, response) => response.writeHead(200).end('{"n":87654321,"m":8}'))
    const digits = await api(['GET', 'shipments'], { accounts: numeric.replace(page.url, numbers.url) })
    expect(json(digits)).toEqual({ n: '[redacted]', m: 8 })
  })

  test('exits 0 where a write is answered without a body', async () => {
    await using quiet = await loopback((_request, response) => response.writeHead(204).end())
    const outcome = await api(['PATCH', 'purchaseOrders', '--data', '-'], {
      accounts: `  acme: ${account(quiet.url)}`,
      stdin: ORDER,
    })
    expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })
})
