import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

test('proxy variables are ignored, towards the platform and towards receivers', async () => {
  using work = new Workplace()
  await using platform = await LoopbackPlatform.start()
  await using receiver = await LoopbackReceiver.start()
  let connections = 0
  const proxy = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const variables = VARIABLES.map((name) => [name, `http://127.0.0.1:${port}`])
  work.environment = { ...Object.fromEntries(variables), NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' }
  work.write(
    'shipbell.yaml',
    `accounts:
  acme: { base_url: "${platform.url}", api_key: ${API_KEY}, first_poll: emit, watch: { shipments: {} } }
subscriptions:
  erp: { url: "${receiver.url}", secret: ${SECRET}, events: ["*"] }
delivery: { allow_networks: [127.0.0.0/8] }
http: false
`,
  )
  platform.shipments = [{ platform_shipment_id: 'SHP-1', name: 'First', status: 'booked' }]
  expect((await work.run('once')).code).toBe(0)
  expect(receiver.events.map(({ type }) => type)).toEqual(['shipment.created'])
  expect(connections).toBe(0)
  proxy.close()
})
