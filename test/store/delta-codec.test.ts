import { hash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { assert, json as jsonText, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { decodeBody, encodeBody, encodeDelta, type BodyBase } from '../../src/store/documents/body-codec.ts'
import { ZlibEngine } from '../../src/store/documents/zlib-engine.ts'
import { worldShipment } from '../bench/world-shipment.ts'

const DELTA = 2

/** How Shipbell packs a delta; whoever reads one needs nothing of it but the base. */
const DEFLATION = { level: 3, windowBits: 15, memLevel: 5 }

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function baseOf(json: Buffer): BodyBase {
  return { json, content: encodeBody(json).content }
}

function versionOf(n: number, changes: JsonObject): Buffer {
  return bytesOf({ ...worldShipment(n), ...changes })
}

describe('a document that is stored as a delta', () => {
  test('is given back to the byte, whatever it and its base are', { tags: 'long' }, () => {
    const engines = [new ZlibEngine('deflate', DEFLATION), new ZlibEngine('inflate', { windowBits: 15 })] as const
    assert(
      property(jsonText(), jsonText(), jsonText(), (text, one, other) => {
        const [json, ...bases] = [Buffer.from(text), Buffer.from(one), Buffer.from(other)]
        for (const base of [...bases, json, ...bases]) {
          const content = engines[0].run(json, base)
          expect(inflateSync(content, { dictionary: base })).toEqual(json)
          expect(decodeBody({ codec: DELTA, content }, base)).toEqual(json)
          expect(engines[1].run(content, base)).toEqual(json)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('takes a sixth of the room of one by itself, or less', () => {
    const base = baseOf(versionOf(7, {}))
    const json = versionOf(7, { status: 'delivered', specific_instructions: 'Ring twice.' })
    const delta = encodeDelta(json, base)
    expect(delta?.codec).toBe(DELTA)
    expect((delta?.content.length ?? 0) * 6).toBeLessThan(encodeBody(json).content.length)
    expect(delta && decodeBody(delta, base.json)).toEqual(json)
  })

  test('is none where it is not worth it: short, another record, all of it changed, beyond the window', () => {
    const base = baseOf(versionOf(7, {}))
    const noise = Array.from({ length: 40 }, (_, n) => hash('sha256', String(n)))
    expect(encodeDelta(bytesOf({ a: 1 }), baseOf(bytesOf({ a: 2 })))).toBeNull()
    expect(encodeDelta(bytesOf({ noise }), base)).toBeNull()
    expect(encodeDelta(versionOf(7, { noise }), base)).toBeNull()
    const long = versionOf(7, { text: 'x'.repeat(40_000) })
    expect(encodeDelta(long, base)).toBeNull()
    expect(encodeDelta(long, baseOf(long))).toBeNull()
  })

  test('is read where it or its base is long or hostile', () => {
    const hostile = [
      '{"__proto__":{"a":1},"constructor":null}',
      JSON.stringify({ text: '\ud800 \u0000 \u2028 é 漢字 🚢' }),
      `${'['.repeat(15_000)}${']'.repeat(15_000)}`,
      JSON.stringify({ text: 'x'.repeat(200_000) }),
      JSON.stringify(Array.from({ length: 400 }, (_, n) => hash('sha256', String(n)))),
    ].map((text) => Buffer.from(text))
    for (const json of hostile) {
      for (const base of hostile) {
        const content = deflateSync(json, { ...DEFLATION, dictionary: base })
        expect(decodeBody({ codec: DELTA, content }, base)?.equals(json)).toBe(true)
        const delta = encodeDelta(json, { json: base, content: base })
        if (delta !== null) expect(decodeBody(delta, base)?.equals(json)).toBe(true)
      }
    }
  })

  test('names its base: with another one, or without, it is refused', () => {
    const base = baseOf(versionOf(7, {}))
    const json = versionOf(7, { status: 'delivered' })
    const delta = encodeDelta(json, base) ?? { codec: 0, content: json }
    for (const other of [versionOf(8, {}), json, Buffer.from('{}'), null]) {
      expect(() => decodeBody(delta, other)).toThrow()
      expect(decodeBody(delta, base.json)).toEqual(json)
      expect(encodeDelta(json, base)).toEqual(delta)
    }
  })

  test('is told damaged from good, wherever a byte is wrong', () => {
    const base = baseOf(versionOf(7, {}))
    const json = versionOf(7, { status: 'delivered' })
    const { codec, content } = encodeDelta(json, base) ?? { codec: 0, content: json }
    for (let at = 0; at < content.length; at += 1) {
      const damaged = Buffer.from(content)
      damaged.writeUInt8((damaged.readUInt8(at) + 1) % 256, at)
      expect(readOrNothing(damaged, base.json)?.equals(json) ?? true, `byte ${at}`).toBe(true)
      expect(decodeBody({ codec, content }, base.json)).toEqual(json)
    }
    for (const length of [0, 1, 5, 6, content.length - 1])
      expect(readOrNothing(content.subarray(0, length), base.json)).toBeNull()
  })

  test('is read as it was released: a zlib stream whose dictionary is the text of the base', () => {
    const base = Buffer.from(
      '{"platform_shipment_id":"SHP-1","status":"in_progress","incoterm":"fob","freight_mode":"ocean"}',
    )
    const released = Buffer.from('eH1H0SEAqyba+JTUnMyy1KLUFOINBwD5aSAJ', 'base64')
    const text = '{"platform_shipment_id":"SHP-1","status":"delivered","incoterm":"fob","freight_mode":"ocean"}'
    expect(decodeBody({ codec: DELTA, content: released }, base)?.toString()).toBe(text)
    expect(inflateSync(released, { dictionary: base }).toString()).toBe(text)
  })
})

function readOrNothing(content: Buffer, base: Buffer): Buffer | null {
  try {
    return decodeBody({ codec: DELTA, content }, base)
  } catch {
    return null
  }
}
