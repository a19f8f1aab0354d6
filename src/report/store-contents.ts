import type { StoreContents } from '../store/ports/store-contents.ts'

/** The contents of a store as `backup --json` and `restore --json` print them. */
export function contentsJson({ bytes, schema, events, records, lastSequences }: StoreContents) {
  return { bytes, schema, events, records, last_sequence: lastSequences }
}

/** `12 events, 3 records, 1.2 MB` */
export function contentsWords({ bytes, events, records }: StoreContents): string {
  return `${events} events, ${records} records, ${(bytes / 1_000_000).toFixed(1)} MB`
}
