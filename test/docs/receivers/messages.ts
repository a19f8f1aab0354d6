import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { sign } from '../../../src/events/index.js'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { sampleEvent } from '../../deliver/sample-event.ts'
import { post } from './post.ts'
import type { RunningReceiver } from './running-receiver.ts'

export const [OLD, NEW, OTHER] = [secretOf(1), secretOf(2), secretOf(3)]
const { key, publicKey: PUBLIC_KEY } = keyPair()
export const KEY = key
/** What the receivers verify with. */
export const ERP_SECRETS = ` ${OLD} ${NEW}  ${PUBLIC_KEY}\n`

export function payloadOf(event = eventOf('SHP-ANY')): JsonObject & { readonly id: string } {
  const payload: JsonObject = JSON.parse(payloadBody(event))
  return { ...payload, id: event.id }
}

export async function postSigned(
  receiver: RunningReceiver,
  payload: JsonObject & { readonly id: string },
): Promise<void> {
  const body = JSON.stringify(payload)
  const headers = await sign(NEW, { id: payload.id, timestamp: systemClock.now() / 1_000, body })
  expect((await fetch(receiver.url, { method: 'POST', headers: { ...headers }, body })).status).toBe(204)
}

/** Resolves once everything that was posted before is handled, and noted as such. */
export async function end(receiver: RunningReceiver): Promise<void> {
  const last = eventOf(`SHP-END-${receiver.handled.length}`)
  expect(await post(receiver.url, last, { secrets: [NEW] })).toBe(204)
  await receiver.handles(lineOf(last))
}

/** An event of a shipment. */
export function eventOf(id: string, version = 1): ShipbellEvent {
  const idOf = (nth: number): string => `evt_${Buffer.from(id).toString('hex')}${nth}`
  const subject = {
    resource: 'shipment',
    id,
    version,
    previousEventId: version === 1 ? null : idOf(version - 1),
  } as const
  return sampleEvent({ id: idOf(version), subject, timestamp: sampleEvent().timestamp + version })
}

export function versionsOf(id: string) {
  return [eventOf(id, 1), eventOf(id, 2), eventOf(id, 3), eventOf(id, 4)] as const
}

export function lineOf({ type, subject }: ShipbellEvent): string {
  return `${type} ${subject.id} ${subject.version}`
}

export function linesOf(receiver: RunningReceiver, shipment: string): readonly string[] {
  return receiver.handled.filter((line) => line.split(' ')[1] === shipment)
}

function secretOf(byte: number): string {
  return `whsec_${Buffer.alloc(32, byte).toString('base64')}`
}

export function keyPair(): { readonly key: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const [seed, half] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  return {
    key: `whsk_${Buffer.concat([seed, half]).toString('base64')}`,
    publicKey: `whpk_${half.toString('base64')}`,
  }
}
