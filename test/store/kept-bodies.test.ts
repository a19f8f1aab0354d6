import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { BodyReader, BodyWriter } from '../../src/store/documents/documents.sqlite.ts'
import type { Connection } from '../../src/store/file/connection.ts'
import { connectStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'

/** Long enough that a delta pays, and in no dictionary. */
const words = (seed: number) => Array.from({ length: 60 }, (_, n) => `word${(n * 7_919 + seed) % 100_003}`).join(' ')
const version = (n: number): JsonObject => ({ id: 'SHP-1', text: words(1), version: n })

async function withBodies(work: (stage: Stage) => void): Promise<void> {
  await withFolder(async (folder) => {
    using db = connectStore({ path: `${folder}/shipbell.db` })
    const write = <T>(act: (writer: BodyWriter) => T): T =>
      db.transact('BEGIN IMMEDIATE', () => {
        const writer = new BodyWriter(db)
        const result = act(writer)
        writer.uses.settle(db)
        return result
      })
    const save = (body: JsonObject, previous: JsonObject | null = null) =>
      write((writer) => {
        const ref = writer.save(body, previous)
        writer.uses.add(ref, null)
        return ref
      })
    const drop = (ref: number | null) => write((writer) => writer.uses.remove(ref, null))
    const load = (ref: number | null) => db.transact('BEGIN', () => new BodyReader(db).load(ref))
    await Promise.resolve(work({ db, write, save, drop, load }))
  })
}

interface Stage {
  readonly db: Connection
  readonly write: <T>(act: (writer: BodyWriter) => T) => T
  readonly save: (body: JsonObject, previous?: JsonObject) => number | null
  readonly drop: (ref: number | null) => void
  readonly load: (ref: number | null) => JsonObject | null
}

test('what was loaded is known to be the document that is stored there', async () => {
  await withBodies(({ load, save, write }) => {
    const first = save(version(1))
    const second = save(version(2), load(first) ?? {})
    for (const ref of [first, second]) {
      const body = load(ref)
      expect(write((writer) => writer.isAt(body ?? {}, ref))).toBe(true)
      expect(write((writer) => writer.isAt(body ?? {}, (ref ?? 0) + 9))).toBe(false)
    }
  })
})

test('a version is packed against no base that stands elsewhere by now', async () => {
  await withBodies(({ drop, load, save }) => {
    const [base, old] = [version(1), version(2)]
    save(base)
    save({ text: words(31) })
    expect(save(old, base)).toBe(3)
    for (const ref of [3, 2, 1]) drop(ref)
    // The same delta at the same place: its base is at another one.
    const again = version(1)
    save({ text: words(77) })
    save(again)
    expect(save(version(2), again)).toBe(3)
    const next = version(3)
    expect(load(save(next, old))).toEqual(next)
  })
})
