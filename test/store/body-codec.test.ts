import { hash } from 'node:crypto'
import { assert, json as jsonText, property, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBody, encodeBody } from '../../src/store/documents/body-codec.ts'
import { BODY_DICTIONARY_1 } from '../../src/store/documents/body-dictionary.ts'
import { worldShipment } from '../bench/world-shipment.ts'

const RAW = 0
const DEFLATED = 1

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

describe('the form in which documents are stored', () => {
  test('gives back any JSON text, to the byte', () => {
    assert(
      property(jsonText(), (text) => {
        const json = Buffer.from(text)
        expect(decodeBody(encodeBody(json))).toEqual(json)
      }),
      { numRuns: 500 },
    )
  })

  test('gives back hostile documents', () => {
    const hostile = [
      '{"__proto__":{"a":1},"constructor":null}',
      JSON.stringify({ text: '\ud800 \u0000 \u2028 é 漢字 🚢' }),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      JSON.stringify({ text: 'x'.repeat(5_000_000) }),
      JSON.stringify({ text: BODY_DICTIONARY_1.toString().repeat(20) }),
      JSON.stringify(Array.from({ length: 5_000 }, (_, n) => hash('sha256', String(n)))),
    ].map((text) => Buffer.from(text))
    for (const json of hostile) expect(decodeBody(encodeBody(json))?.equals(json)).toBe(true)
  })

  test('takes a quarter of the room for a record of the interface', () => {
    const json = bytesOf(worldShipment(7))
    const { codec, content } = encodeBody(json)
    expect(codec).toBe(DEFLATED)
    expect(content.length * 4).toBeLessThan(json.length)
  })

  test('says what is damaged, and goes on with the next document', () => {
    const json = bytesOf(worldShipment(7))
    const { codec, content } = encodeBody(json)
    const damaged = Buffer.from(content)
    damaged.writeUInt8(content.readUInt8(200) ^ 0xff, 200)
    for (const other of [damaged, content.subarray(0, 300), Buffer.from('no deflate at all'), Buffer.alloc(0)]) {
      expect(() => decodeBody({ codec, content: other })).toThrow()
      expect(decodeBody({ codec, content })).toEqual(json)
      expect(encodeBody(json).content).toEqual(content)
    }
  })

  test('never takes more room than the text itself', () => {
    assert(
      property(uint8Array({ maxLength: 300 }), (bytes) => {
        const json = Buffer.from(bytes)
        const { codec, content } = encodeBody(json)
        expect(content.length).toBeLessThanOrEqual(json.length)
        if (codec === RAW) expect(content).toEqual(json)
      }),
    )
  })

  test('is read with the dictionary that it was released with', () => {
    const json = bytesOf(worldShipment(7))
    const { content } = encodeBody(json)
    // RFC 1950: the dictionary's checksum follows the two bytes of the header.
    expect(content.readUInt32BE(2).toString(16)).toBe('d177b04')
    const released = Buffer.from('aGINF3sEw9n7DvYI0DXE3Z4lttGKPThqAcsjKdA=', 'base64')
    expect(decodeBody({ codec: DEFLATED, content: released })?.toString()).toBe(
      '{"platform_shipment_id":"SHP-1","status":"in_progress","incoterm":"fob","freight_mode":"ocean","invoice_references":[]}',
    )
  })

  test('tells a damaged document from a good one, wherever a byte is wrong', { tags: 'long' }, () => {
    const json = bytesOf(worldShipment(7))
    const { codec, content } = encodeBody(json)
    for (let at = 0; at < content.length; at += 1) {
      const damaged = Buffer.from(content)
      damaged.writeUInt8((damaged.readUInt8(at) + 1) % 256, at)
      expect(readOrNothing({ codec, content: damaged })?.equals(json) ?? true, `byte ${at}`).toBe(true)
    }
    for (const length of [0, 1, 5, 6, content.length - 1]) {
      expect(readOrNothing({ codec, content: content.subarray(0, length) })).toBeNull()
    }
  })

  test('says nothing for a form that is not known', () => {
    expect(decodeBody({ codec: 3, content: Buffer.from('{}') })).toBeNull()
  })
})

function readOrNothing(body: { readonly codec: number; readonly content: Buffer }): Buffer | null {
  try {
    return decodeBody(body)
  } catch {
    return null
  }
}
