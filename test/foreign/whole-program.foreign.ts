import { expect, test } from 'vitest'
import { scripted } from '../deliver/conformance/sending.ts'
import { status } from '../deliver/scripted-receiver.ts'
import { SECRET } from '../config/scratch.ts'
import { Workplace } from '../support/shipbell.ts'
import { installed, unless } from './foreign-program.ts'
import { ownCertificate } from './openssl-authority.ts'
import { startSquid, startTinyproxy } from './start-proxy.ts'

const OPENSSL = installed('openssl')
const PROXY = [
  { start: startSquid, path: installed('squid') },
  { start: startTinyproxy, path: installed('tinyproxy') },
].find(({ path }) => path !== null)

test.skipIf(OPENSSL === null || PROXY === undefined)(
  `the program reads and delivers through a proxy, trusting the system's own authority${unless(PROXY?.path ?? null, 'apt-get install squid')}`,
  async () => {
    using work = new Workplace()
    const own = ownCertificate(OPENSSL ?? '')
    const list = '[{"platform_shipment_id":"SHP-1","name":"First","status":"booked"}]'
    const platform = await scripted(
      (request) => status(200, {}, request.path.includes('skip=0') ? list : '[]')(request),
      '127.0.0.1',
      own,
    )
    const receiver = await scripted(status(200), '127.0.0.1', own)
    const proxy = await PROXY?.start(PROXY.path ?? '', {
      login: ['bell', 'pa55w0rd'],
      tunnels: [platform.port, receiver.port],
    })
    const through = `proxy: "http://bell:pa55w0rd@127.0.0.1:${proxy?.port}"`
    work.write(
      'shipbell.yaml',
      `accounts:
  acme: { base_url: "https://localhost:${platform.port}", api_key: key, first_poll: emit, watch: { shipments: {} }, ${through} }
subscriptions:
  erp: { url: "https://localhost:${receiver.port}", secret: ${SECRET}, events: ["*"], ${through} }
delivery: { allow_networks: [127.0.0.0/8, "::1/128"] }
http: false
`,
    )
    work.environment = { SSL_CERT_FILE: `${own.folder}/ca.pem` }
    const { code, stderr, stdout } = await work.run('once')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(receiver.requests.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: 'shipment.created' }])
    expect(stdout + stderr).not.toContain('pa55w0rd')
    work.environment = {}
    expect(await work.run('once')).toMatchObject({ code: 3, stderr: expect.stringContaining('unknown authority') })
  },
)
