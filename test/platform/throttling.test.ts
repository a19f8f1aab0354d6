import { describe, expect, test } from 'vitest'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Json } from '../../src/model/json.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback } from './loopback.ts'

const NOW = 'Sat, 21 Nov 2026 08:00:00 GMT'
const NOW_S = Date.parse(NOW) / 1_000
const DAY = 86_400_000

async function answered(status: number, headers: OutgoingHttpHeaders, body: Json = {}): Promise<Outcome<unknown>> {
  await using server = await loopback((_, response) => {
    response.writeHead(status, { date: NOW, ...headers }).end(JSON.stringify(body))
  })
  await using client = clientOf(server.url)
  return await client.list('shipment', FIRST_PAGE)
}

async function summary(status: number, headers: OutgoingHttpHeaders): Promise<unknown> {
  const outcome = await answered(status, headers)
  return [outcome.kind, 'retryAfterMs' in outcome ? outcome.retryAfterMs : null]
}

describe('an answer that throttles', () => {
  test.each<[number, OutgoingHttpHeaders, number | null]>([
    [429, {}, null],
    [429, { 'retry-after': '7' }, 7_000],
    [429, { 'retry-after': '1.5' }, 1_500],
    [429, { 'retry-after': '0.25' }, 250],
    [429, { 'retry-after': '5000' }, 5_000_000],
    [429, { 'retry-after': '999999999' }, DAY],
    [429, { 'retry-after': 'Sat, 21 Nov 2026 08:01:40 GMT' }, 100_000],
    [429, { 'retry-after': 'Sat, 21 Nov 2026 07:00:00 GMT' }, 0],
    [429, { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: 'Sat, 21 Nov 2026 08:59:00 GMT' }, 60_000],
    [429, { 'retry-after': 'Sat, 21 Nov 2026 09:01:40 +0100', date: 'Sat, 21 Nov 2026 03:00:00 -0500' }, 100_000],
    [429, { 'retry-after': 'Saturday, 21-Nov-26 08:01:40 GMT' }, 100_000],
    [429, { 'retry-after': 'Sat Nov 21 08:01:40 2026' }, 100_000],
    [429, { 'retry-after': '2026-11-21T08:01:40Z' }, 100_000],
    [429, { 'retry-after': '2026-11-21T10:01:40.000+02:00' }, 100_000],
    [429, { 'retry-after': 'soon', 'x-ratelimit-reset': '4' }, 4_000],
    [429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '6' }, 6_000],
    [429, { 'x-ratelimit-reset': '6.5' }, 6_500],
    [429, { 'x-rate-limit-reset': '30' }, 30_000],
    [429, { 'x-ratelimit-reset': String(NOW_S + 90) }, 90_000],
    [429, { 'x-ratelimit-reset': '2026-11-21T08:01:30Z' }, 90_000],
    [429, { 'x-ratelimit-reset': String(NOW_S + 90.5) }, 90_500],
    [429, { 'x-ratelimit-reset': String((NOW_S + 90) * 1_000) }, 90_000],
    [429, { 'x-ratelimit-reset': String(NOW_S - 90) }, 0],
    [429, { 'x-ratelimit-reset': String(NOW_S + 10 * DAY) }, DAY],
    [429, { 'retry-after': '2', 'x-ratelimit-reset': '600' }, 2_000],
    [429, { ratelimit: '"default";r=0;t=6' }, 6_000],
    [429, { ratelimit: '"burst";r=0;t=6, "day";r=120;t=5000' }, 6_000],
    [429, { ratelimit: 'limit=100, remaining=0, reset=12' }, 12_000],
    [403, { 'retry-after': '2' }, 2_000],
    [403, { 'retry-after': '1.5' }, 1_500],
    [403, { 'x-ratelimit-remaining': '0' }, null],
    [403, { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9_000],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_S + 45) }, 45_000],
    [403, { ratelimit: '"default";r=0;t=6' }, 6_000],
  ])('%d %j asks to wait %s ms, and is no refusal', async (status, headers, waitMs) => {
    expect(await summary(status, headers)).toEqual(['throttled', waitMs])
  })

  test.each<[number, OutgoingHttpHeaders]>([
    [403, {}],
    [403, { 'x-ratelimit-remaining': '58', 'x-ratelimit-reset': '60' }],
    [403, { 'x-ratelimit-remaining': 'none' }],
    [403, { ratelimit: '"default";r=10;t=6' }],
    [401, { 'retry-after': '2' }],
  ])('is not %d %j', async (status, headers) => {
    expect(await summary(status, headers)).toEqual(['unauthorized', null])
  })

  test.each<[OutgoingHttpHeaders, number | null]>([
    [{ 'retry-after': '2.5' }, 2_500],
    [{ 'retry-after': 'Sat, 21 Nov 2026 08:00:30 GMT' }, 30_000],
    [{ 'x-ratelimit-reset': '30' }, null],
  ])('503 %j is a failure, after which to wait %s ms', async (headers, waitMs) => {
    expect(await summary(503, headers)).toEqual(['broken', waitMs])
  })

  test('says in its reason how long, and what was said', async () => {
    const outcome = await answered(403, { 'retry-after': '2' }, { message: 'You have exceeded a secondary rate limit' })
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(/403, too many requests, asking to wait 2s: .*secondary/),
    })
  })
})
