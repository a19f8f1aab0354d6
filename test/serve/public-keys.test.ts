import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { sign } from '@shipbell/events'
import { field, isJsonArray, textField } from '../../src/model/json.ts'
import { Contract } from './contract.ts'
import { Desk, TOKEN } from './desk.ts'
import { keyPair } from '../support/key-pair.ts'

const AT = '/.well-known/shipbell-keys'
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='

function configuration(secrets: readonly string[]): (receiver: string, http: string) => string {
  return (receiver, http) => `
accounts: { acme: { base_url: 'https://platform.example', api_key: key-0123456789, watch: {} } }
subscriptions:
  secret-partner: { url: '${receiver}', secret: [${secrets.join(', ')}], events: ['shipment.*'] }
  twice: { url: '${receiver}', secret: '${secrets[0]}', events: ['invoice.*'] }
  shared: { url: '${receiver}', secret: '${SECRET}', events: ['invoice.*'] }
delivery: { allow_networks: [127.0.0.0/8] }
http: { listen: '127.0.0.1:0', ${http} }
`
}

test('the public keys of all that signs answer everyone, old and new ones during a rotation, and nothing else', async () => {
  const pairs = [keyPair(), keyPair()]
  const text = configuration(pairs.map(({ secret }) => secret))
  const desk = await Desk.configured(`token: ${TOKEN}`, { text })
  for (const headers of [{}, { host: 'shipbell.example' }, { authorization: 'Bearer wrong' }])
    expect((await desk.ask(AT, { headers })).status).toBe(200)
  const answer = await (await Contract.of(desk)).ask(AT)
  expect(answer.headers['cache-control']).toBe('public, max-age=300')
  const keys = field(answer.json, 'keys')
  const all = isJsonArray(keys) ? keys : []
  expect(all.map((each) => textField(each, 'public_key'))).toEqual(pairs.map(({ publicKey }) => publicKey).toSorted())
  for (const told of ['partner', 'twice', ...pairs.map(({ secret }) => secret.slice(5, 40)), SECRET.slice(6)])
    expect(answer.text).not.toContain(told)
  const [body, id, timestamp] = ['{}', 'evt_1', 1_790_000_000]
  for (const { secret } of pairs) {
    const { 'webhook-signature': signature } = await sign(secret, { id, timestamp, body })
    const bytes = Buffer.from(signature.slice('v1a,'.length), 'base64')
    const verified = all.filter((key) => {
      const part = (name: string): string => textField(key, name) ?? ''
      const webKey = createPublicKey({ key: { kty: part('kty'), crv: part('crv'), x: part('x') }, format: 'jwk' })
      return verify(null, Buffer.from(`${id}.${timestamp}.${body}`), webKey, bytes)
    })
    expect(verified).toHaveLength(1)
  }
})

test('where nothing signs with a key pair there are no keys', async () => {
  const desk = await Desk.open()
  expect((await desk.ask(AT)).json).toEqual({ keys: [] })
})
