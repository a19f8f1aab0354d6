import { gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { contentHashOf } from '../../src/model/content-hash.ts'
import type { Validator } from '../../src/model/exchange.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import type { PlatformClient } from '../../src/platform/platform.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback, type Loopback } from './loopback.ts'

const PAGE = JSON.stringify([{ platform_shipment_id: 'SHP-1', name: 'é'.repeat(50_000) }])
const TRACKING = JSON.stringify({ platform_shipment_id: 'SHP-1', status: 'in_transit' })

interface World extends AsyncDisposable {
  readonly platform: PlatformClient
  readonly asked: IncomingMessage[]
}

/** A platform that answers every request as told. */
async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<World> {
  const asked: IncomingMessage[] = []
  const server: Loopback = await loopback((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  const platform = clientOf(server.url)
  const dispose = async (): Promise<void> => {
    await platform[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { platform, asked, [Symbol.asyncDispose]: dispose }
}

function validatorOf({ kind, ...rest }: Outcome<unknown>): Validator | null {
  if (kind !== 'ok' || !('validator' in rest)) throw new Error(`no validator: ${kind}`)
  return rest.validator ?? null
}

async function list({ platform }: World, known: Validator | null) {
  const outcome = await platform.list('shipment', { ...FIRST_PAGE, known })
  if (outcome.kind !== 'ok' || outcome.value === 'unchanged' || !('read' in outcome.value)) return outcome
  const page = await outcome.value.read({ ids: new Map(), certainIdField: null })
  return page.kind === 'ok' ? { ...outcome, value: page.value } : page
}

describe('an answer that is known', () => {
  test('is not read again: the same bytes say so', async () => {
    await using world = await serving((_, response) => response.end(PAGE))
    const first = await list(world, null)
    const validator = validatorOf(first)
    expect(validator).toEqual({ contentHash: '8czV2vAcUs1Wh0iGOj7OBQ', etag: null })
    expect(await list(world, validator)).toMatchObject({
      kind: 'ok',
      value: 'unchanged',
      validator,
      exchange: { status: 200 },
    })
    expect(world.asked[1]?.headers).not.toHaveProperty('if-none-match')
  })

  test('is the same however it is encoded and cut', async () => {
    let asked = 0
    await using world = await serving((_, response) => {
      asked += 1
      if (asked === 1) return response.end(PAGE)
      if (asked === 2) return response.setHeader('content-encoding', 'gzip').end(gzipSync(PAGE))
      response.write(PAGE.slice(0, 7))
      return setImmediate(() => response.end(PAGE.slice(7)))
    })
    const validator = validatorOf(await list(world, null))
    expect(await list(world, validator)).toMatchObject({ value: 'unchanged' })
    expect(await list(world, validator)).toMatchObject({ value: 'unchanged' })
  })

  test('is another one where a single byte differs', async () => {
    let name = 'a'
    await using world = await serving((_, response) => response.end(`[{"platform_shipment_id":"S","name":"${name}"}]`))
    const validator = validatorOf(await list(world, null))
    name = 'b'
    expect(await list(world, validator)).toMatchObject({ value: { rows: [{ record: { name: 'b' } }] } })
  })

  test('is asked for by its ETag, and 304 says the same', async () => {
    await using world = await serving((request, response) => {
      response.setHeader('etag', 'W/"v1"')
      if (request.headers['if-none-match'] === 'W/"v1"') response.writeHead(304).end()
      else response.end(PAGE)
    })
    const validator = validatorOf(await list(world, null))
    expect(validator).toMatchObject({ etag: 'W/"v1"' })
    const again = await list(world, validator)
    expect(again).toMatchObject({ kind: 'ok', value: 'unchanged', validator, exchange: { status: 304, bytes: 0 } })
  })

  test('may come with another ETag, which is asked with from then on', async () => {
    let version = 1
    await using world = await serving((_, response) => response.setHeader('etag', `"${version}"`).end(PAGE))
    const validator = validatorOf(await list(world, null))
    version = 2
    expect(validatorOf(await list(world, validator))).toEqual({ contentHash: validator?.contentHash, etag: '"2"' })
  })

  test.each(['v1', '"a b"', `"${'x'.repeat(600)}"`, '"v1", "v2"'])(
    'is not asked for by what is no ETag: %j',
    async (etag) => {
      await using world = await serving((_, response) => response.setHeader('etag', etag).end(PAGE))
      expect(validatorOf(await list(world, null))).toMatchObject({ etag: null })
    },
  )

  test('is no 304 that nobody asked for', async () => {
    await using world = await serving((_, response) => response.writeHead(304).end())
    expect(await list(world, { contentHash: 'known', etag: null })).toMatchObject({ kind: 'broken' })
  })

  test('is no failure that has its bytes', async () => {
    let status = 200
    await using world = await serving((_, response) => response.writeHead(status).end(PAGE))
    const validator = validatorOf(await list(world, null))
    status = 500
    expect(await list(world, validator)).toMatchObject({ kind: 'broken' })
  })

  test('is no body that says so', async () => {
    await using world = await serving((_, response) => response.end('"unchanged"'))
    expect(await list(world, null)).toMatchObject({ kind: 'broken' })
    expect(await world.platform.reread('tracking', { id: 'S', known: null })).toMatchObject({ kind: 'broken' })
  })

  test('where a page has changed, what is known of it is not judged again', async () => {
    const rows = '[{"platform_shipment_id":"A","route":"none"},{"platform_shipment_id":"B","route":"none"}]'
    await using world = await serving((_, response) => response.end(rows))
    const a = contentHashOf('{"platform_shipment_id":"A","route":"none"}')
    const page = await world.platform.list('shipment', { ...FIRST_PAGE, known: null })
    if (page.kind !== 'ok' || page.value === 'unchanged' || !('read' in page.value))
      throw new Error('its rows were read')
    expect(await page.value.read({ ids: new Map([[a, 'A']]), certainIdField: 'platform_shipment_id' })).toMatchObject({
      value: {
        rows: [
          { kind: 'record', id: 'A' },
          { kind: 'rejected', id: 'B' },
        ],
      },
    })
    expect(await list(world, validatorOf(page))).toMatchObject({ value: 'unchanged' })
  })

  test('may be a single record', async () => {
    await using world = await serving((request, response) => {
      response.setHeader('etag', '"1"')
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else response.end(TRACKING)
    })
    const first = await world.platform.reread('tracking', { id: 'SHP-1', known: null })
    expect(first).toMatchObject({ value: { status: 'in_transit' }, validator: { etag: '"1"' } })
    const again = await world.platform.reread('tracking', { id: 'SHP-1', known: validatorOf(first) })
    expect(again).toMatchObject({ value: 'unchanged', exchange: { status: 304 } })
    const byBytes = { contentHash: validatorOf(first)?.contentHash ?? '', etag: null }
    expect(await world.platform.reread('tracking', { id: 'SHP-1', known: byBytes })).toMatchObject({
      value: 'unchanged',
      exchange: { status: 200 },
    })
  })

  test('is asked for past caches, and what a cache answers all the same is as old as it says', async () => {
    let headers: Readonly<Record<string, string>> = {}
    let status = 200
    await using world = await serving((_, response) => response.writeHead(status, headers).end(PAGE))
    const age = async () => (await list(world, null)).exchange.ageMs
    expect(await age()).toBeUndefined()
    expect(world.asked[0]?.headers['cache-control']).toBe('no-cache')
    headers = { age: '90' }
    expect(await age()).toBe(90_000)
    expect((await world.platform.item('shipment', 'SHP-1')).exchange.ageMs).toBe(90_000)
    headers = { date: new Date(Date.now() - 600_000).toUTCString() }
    expect(await age()).toBeGreaterThan(590_000)
    status = 500
    expect(await age()).toBeUndefined()
  })
})
