import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback } from './loopback.ts'

test('a body that unpacks to more than 64 MiB is broken, however small it came', async () => {
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '))
  await using server = await loopback((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  await using client = clientOf(server.url)
  expect(await client.list('shipment', FIRST_PAGE)).toMatchObject({
    kind: 'broken',
    reason: expect.stringContaining('with more than 64 MiB'),
  })
})
