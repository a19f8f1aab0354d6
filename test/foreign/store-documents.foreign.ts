import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { BODY_DICTIONARY_1 } from '../../src/store/documents/body-dictionary.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { worldShipment } from '../bench/world-shipment.ts'
import { withFolder } from '../store/folder.ts'
import { batch, sampleEvent, sampleState, T, write } from '../store/samples.ts'

const IDS = ['SHP-1', 'SHP-2', 'ä\0ö']
const VERSIONS = 12

/** Reads the documents of events by SQLite and zlib alone. */
const READER = `
import json, sqlite3, sys, zlib
store, dictionary = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True), open(sys.argv[2], 'rb').read()
bodies = {ref: (codec, content, base) for ref, codec, content, base in store.execute('SELECT ref, codec, content, base FROM bodies')}
def text(ref):
    codec, content, base = bodies[ref]
    if codec == 0: return content
    unpacker = zlib.decompressobj(zdict=dictionary if codec == 1 else text(base))
    return unpacker.decompress(content) + unpacker.flush()
documents = {id: [json.loads(text(ref)) for ref in refs] for id, *refs in store.execute('SELECT id, object_body, before_body FROM events')}
print(json.dumps({'documents': documents, 'codecs': sorted(codec for codec, _, _ in bodies.values())}))
`

const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import sqlite3, zlib'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasPython)(
  `Python reads from a store's file what Shipbell tells${hasPython ? '' : ' (skipped: python3 is not installed)'}`,
  async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      const expected: Record<string, readonly (JsonObject | null)[]> = {}
      {
        await using store = openStore({ path })
        for (let version = 0; version < VERSIONS; version += 1) {
          const known = await store.records('acme', 'shipment', IDS)
          const changed = IDS.map((id, n) => {
            const before = known.get(id) ?? sampleState(id, { seen: { id }, reported: { id } })
            const seen = documentOf(id, n, version)
            const subject = { resource: 'shipment', id, version, previousEventId: null } as const
            const event = { subject, object: seen, before: before.reported, timestamp: T + version }
            const state = { ...before, seen, reported: seen, version }
            const expectedVersion = version === 0 ? null : before.version
            const written = write(state, { expectedVersion, seenBefore: before.seen })
            return { written, event: sampleEvent(`evt_${n}_${version}`, event) }
          })
          const events = changed.map(({ event }) => event)
          await store.commit(batch({ records: changed.map(({ written }) => written), events }))
          for (const { id } of events) {
            const told = await store.event(id)
            expected[id] = [told?.object ?? null, told?.before ?? null]
          }
        }
      }
      writeFileSync(`${folder}/reader.py`, READER)
      writeFileSync(`${folder}/dictionary`, BODY_DICTIONARY_1)
      const printed = execFileSync('python3', [`${folder}/reader.py`, path, `${folder}/dictionary`]).toString()
      const { codecs, documents } = JSON.parse(printed)
      expect(documents).toEqual(expected)
      expect(new Set(codecs)).toEqual(new Set([0, 1, 2]))
    })
  },
)

/** Some versions change by a field, some altogether. */
function documentOf(id: string, n: number, version: number): JsonObject {
  if (version % 5 === 4)
    return { id, noise: Array.from({ length: 20 }, (_, at) => hash('sha256', `${id} ${version} ${at}`)) }
  return { ...worldShipment(n), id, text: `\u0000 é 漢字 🚢 ${version}` }
}
