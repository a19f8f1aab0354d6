/**
 * A message of Protocol Buffers as its schema has it: by number a name, and what the bytes are. `[]` behind it: the field may come
 * several times, or packed.
 */
export type Schema = Readonly<Record<number, readonly [name: string, of: Kind | Schema, many?: '[]']>>
type Kind = 'text' | 'hex' | 'varint' | 'fixed64' | 'double' | 'bool'

export type Message = { readonly [name: string]: Value | readonly Value[] }
export type Value = string | number | bigint | boolean | Message

/** Throws where a field is not of the schema's type. Fields that it does not have are skipped, as the protocol wants it. */
export function decode(bytes: Buffer, schema: Schema): Message {
  const message: Record<string, Value | Value[]> = {}
  const reader = { bytes, at: 0 }
  while (reader.at < bytes.length) {
    const tag = Number(varint(reader))
    const [name, of, many] = schema[tag >>> 3] ?? []
    const raw = rawField(reader, tag & 7)
    if (name === undefined || of === undefined) continue
    const values = valuesOf(raw, of)
    if (many === undefined) message[name] = values.at(-1) ?? ''
    else message[name] = [message[name] ?? [], values].flat()
  }
  return message
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

type Raw = bigint | Buffer

function varint(reader: Reader): bigint {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    const byte = reader.bytes[reader.at]
    if (byte === undefined || shift > 63n) throw new Error('The message ends within a number.')
    reader.at += 1
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return value
  }
}

function rawField(reader: Reader, wireType: number): Raw {
  if (wireType === 0) return varint(reader)
  const lengths: Readonly<Record<number, () => number>> = { 1: () => 8, 2: () => Number(varint(reader)), 5: () => 4 }
  const length = lengths[wireType]?.()
  if (length === undefined || reader.at + length > reader.bytes.length)
    throw new Error(`No wire type ${wireType} here.`)
  reader.at += length
  return reader.bytes.subarray(reader.at - length, reader.at)
}

function valuesOf(raw: Raw, of: Kind | Schema): Value[] {
  if (typeof raw === 'bigint') {
    if (of === 'bool') return [raw === 1n]
    if (of === 'varint') return [raw]
    throw new Error('A number stands where none belongs.')
  }
  if (typeof of === 'object') return [decode(raw, of)]
  if (of === 'text') return [new TextDecoder('utf-8', { fatal: true }).decode(raw)]
  if (of === 'hex') return [raw.toString('hex')]
  if (raw.length % 8 !== 0) throw new Error(`${raw.length} bytes are no numbers of 64 bits.`)
  const places = Array.from({ length: raw.length / 8 }, (_, nth) => nth * 8)
  return places.map((place) => (of === 'double' ? raw.readDoubleLE(place) : raw.readBigUInt64LE(place)))
}
