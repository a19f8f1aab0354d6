import { describe, expect, test } from 'vitest'
import type { NewNote, NotedRecord, NoteTopic, ShipmentLink, TakenNote } from '../../src/model/note.ts'
import { Notebook } from '../../src/poll/notes/notebook.ts'
import type { BatchChange } from '../../src/store/ports/commit-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, write } from './samples.ts'

const NOTHING = { account: 'acme', records: [], events: [], deliveries: [], dates: [] }

/** A text that no index of PostgreSQL holds, however it is compressed. */
const LONG = Array.from({ length: 9_000 }, (_, place) => ((place * 7_919) % 100_003).toString(36)).join('')

export function describeNotes(open: OpenStore): void {
  describe('notes of what moved', () => {
    test('are one for each record and topic, and say how it moved last', async () => {
      await using store = await open()
      await note(
        store,
        of('A', 5, { because: 'evt_1', isFresh: true }),
        of('B', 6),
        of('A', 7, { topic: 'expectations' }),
      )
      await note(store, of('A', 9, { because: 'evt_2' }))
      await note(store, of('A', 3))
      expect(await notesOf(store)).toEqual([
        { resource: 'shipment', id: 'A', number: 10, isFresh: true, because: 'evt_2' },
        { resource: 'shipment', id: 'B', number: 6, isFresh: false, because: null },
      ])
      expect((await store.noted('acme', 'orders', 1)).notes).toHaveLength(1)
      expect(await notesOf(store, 'expectations')).toHaveLength(1)
      expect((await store.noted('other', 'orders', 9)).notes).toEqual([])
    })

    test('go once they are taken up, but for those of records that moved meanwhile', async () => {
      await using store = await open()
      await note(store, of('A', 5), of('B', 6), of('C', 7))
      const taken = await notesOf(store)
      await note(store, of('B', 4))
      await change(store, takenBy(taken.slice(0, 2)))
      expect((await notesOf(store)).map(({ id }) => id)).toEqual(['B', 'C'])
      await change(store, takenBy(await notesOf(store)))
      expect(await notesOf(store)).toEqual([])
    })

    test('begin with every record of the lists, none of them fresh, and end with the topic', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(sampleState('A')), write(sampleState('B'))] }))
      await note(store, of('A', 5, { because: 'evt_1', isFresh: true }))
      expect((await store.noted('acme', 'orders', 9)).settings).toBe(null)
      const begin = { kind: 'topic', topic: 'orders', resources: ['shipment', 'invoice'], number: 4 } as const
      await change(store, { ...begin, settings: 'one' })
      const { notes, settings } = await store.noted('acme', 'orders', 9)
      expect(settings).toBe('one')
      expect(notes.map(({ id, isFresh, number }) => [id, isFresh, number])).toEqual([
        ['A', false, 6],
        ['B', false, 4],
      ])
      await change(store, { ...begin, settings: null })
      expect(await store.noted('acme', 'orders', 9)).toEqual({ settings: null, notes: [] })
    })

    test('find the records of a shipment, as they were linked last', async () => {
      await using store = await open()
      await change(store, { kind: 'links', found: [link('A', 'PO-1'), link('B', 'PO-1'), link('A', 'PO-2')], gone: [] })
      await change(store, { kind: 'links', found: [link('A', 'PO-2')], gone: [link('A', 'PO-1'), link('C', 'PO-1')] })
      expect(await store.linkedTo('acme', ['B', 'A', 'C'])).toEqual([link('B', 'PO-1'), link('A', 'PO-2')])
      expect(await store.linkedTo('acme', [])).toEqual([])
      expect(await store.linkedTo('other', ['A'])).toEqual([])
    })

    test('are made of what a record leaves, but of what cannot be the id of a shipment', async () => {
      await using store = await open()
      const notebook = new Notebook()
      const left: readonly NotedRecord[] = [LONG, '\ud800', '\ud83d', 'A'].map(shipmentOf)
      const topic = { topic: 'orders', resources: ['document'], moves: () => true, leaves: () => left } as const
      notebook.follow('acme', [{ topic: { ...topic, explains: () => false }, isNoting: true, noted: () => undefined }])
      const records = [write(sampleState('70', { resource: 'document' }))]
      await store.commit(batch({ records, notes: notebook.notesOf('acme', { records }, 5) }))
      expect((await notesOf(store)).map(({ id }) => id)).toEqual(['70', 'A'])
    })

    test('leave out links to what cannot be the id of a shipment, and keep the others', async () => {
      await using store = await open()
      await change(store, {
        kind: 'links',
        found: [LONG, '\ud800', 'A'].map((shipment) => link(shipment, 'PO-1')),
        gone: [],
      })
      expect(await store.linkedTo('acme', [LONG, '\ud800', '\ufffd', 'A'])).toEqual([link('A', 'PO-1')])
    })
  })
}

function shipmentOf(id: string): NotedRecord {
  return { resource: 'shipment', id }
}

function link(shipment: string, id: string): ShipmentLink {
  return { shipment, resource: 'purchase_order', id }
}

function of(id: string, number: number, more: Partial<NewNote> = {}): NewNote {
  return { topic: 'orders', resource: 'shipment', id, number, isFresh: false, because: null, ...more }
}

function takenBy(notes: readonly TakenNote[]): BatchChange {
  return { kind: 'taken', topic: 'orders', notes }
}

async function note(store: Store, ...notes: readonly NewNote[]): Promise<void> {
  await store.commit({ ...NOTHING, changes: [], notes })
}

async function change(store: Store, ...changes: readonly BatchChange[]): Promise<void> {
  await store.commit({ ...NOTHING, changes })
}

async function notesOf(store: Store, topic: NoteTopic = 'orders') {
  return (await store.noted('acme', topic, 9)).notes
}
