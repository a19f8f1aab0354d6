import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ShipbellError } from '../../errors.ts'
import { collectDeliveries } from './collect-deliveries.ts'
import type { Delivery } from './delivery.ts'
import { parseDeliveryLines } from './parse-delivery-lines.ts'

/** More than a text of Node may hold cannot be parsed; an archive that unpacks to more is refused, not unpacked. */
const LARGEST = 256 * 1024 * 1024

/** Real deliveries of a CSV file, gzipped or plain (guarantee X2, `--data`). Throws `usage` for what cannot be replayed. */
export function readDeliveries(file: string): readonly Delivery[] {
  return collectDeliveries(parseDeliveryLines(textOf(file), file))
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file)
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ShipbellError(
      'usage',
      `--data cannot read ${file} (${reason}); name a CSV file in UTF-8, gzipped or plain.`,
      { cause: error },
    )
  }
}
