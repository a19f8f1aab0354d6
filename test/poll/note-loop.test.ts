import { expect, test } from 'vitest'
import type { Note } from '../../src/model/note.ts'
import { Committer } from '../../src/poll/committer.ts'
import { NoteLoop } from '../../src/poll/notes/note-loop.ts'
import { write, sampleState, batch, sampleEvent } from '../store/samples.ts'
import { Polling } from './polling.ts'

/** A topic that keeps what it was given. */
class Noting {
  readonly taken: Note[][] = []
  readonly loop: NoteLoop
  readonly #committer: Committer
  readonly #signal = new AbortController().signal
  readonly #polling: Polling

  constructor(polling: Polling) {
    const { clock, store } = polling
    this.#polling = polling
    this.#committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
    const context = { ...polling.context, committer: this.#committer }
    this.loop = new NoteLoop(context, {
      topic: 'orders',
      resources: ['shipment'],
      subjects: ['shipment'],
      settings: 'one',
      moves: ({ state }) => state.id !== 'SHP-still',
      explains: () => true,
      derive: async (notes) => {
        this.taken.push([...notes])
        return {}
      },
    })
    this.#committer.notebook.follow('acme', [this.loop])
  }

  async baseline(at: number | null): Promise<void> {
    const state = await this.#polling.store.listState('acme', 'shipment')
    const list = { kind: 'list', resource: 'shipment', state: { ...state, baselinedAt: at } } as const
    await this.#committer.commit('acme', async () => ({ changes: [list] }))
  }

  async move(id: string): Promise<void> {
    const subject = { resource: 'shipment', id, version: 1, previousEventId: null } as const
    const events = [sampleEvent(`evt_${id.replace('-', '')}`, { subject })]
    await this.#committer.commit('acme', async () => ({ events, records: [write(sampleState(id))] }))
  }

  async round(): Promise<void> {
    await this.loop.round(this.#signal)
  }
}

test('what moved is taken up once for all that moved within two seconds, and not again', async () => {
  await using polling = new Polling()
  const noting = new Noting(polling)
  await noting.baseline(1)
  await noting.round()
  await noting.move('SHP-1')
  await noting.round()
  expect(noting.taken).toEqual([])
  await polling.clock.advance(1_000)
  await noting.move('SHP-2')
  await noting.move('SHP-still')
  expect(await noting.loop.pauseMs()).toBe(1_000)
  await polling.clock.advance(1_000)
  await noting.round()
  await noting.round()
  expect(noting.taken.map((notes) => notes.map(({ because, id, isFresh }) => [id, isFresh, because]))).toEqual([
    [
      ['SHP-1', true, 'evt_SHP1'],
      ['SHP-2', true, 'evt_SHP2'],
    ],
  ])
  expect(await noting.loop.pauseMs()).toBeGreaterThan(10_000)
})

test('a topic begins once the baselines are complete, with every record and none fresh', async () => {
  await using polling = new Polling()
  const noting = new Noting(polling)
  await polling.store.commit(batch({ records: [write(sampleState('SHP-0'))] }))
  await noting.round()
  await noting.move('SHP-1')
  expect((await polling.store.noted('acme', 'orders', 9)).notes).toEqual([])
  await noting.baseline(1)
  noting.loop.passEnded()
  await noting.round()
  expect(noting.taken.map((notes) => notes.map(({ id, isFresh }) => [id, isFresh]))).toEqual([
    [
      ['SHP-0', false],
      ['SHP-1', false],
    ],
  ])
})

test('notes that a process left are taken up by the next one', async () => {
  await using polling = new Polling()
  const first = new Noting(polling)
  await first.baseline(1)
  await first.round()
  await first.move('SHP-1')
  const next = new Noting(polling)
  await next.round()
  expect(next.taken.map((notes) => notes.map(({ id }) => id))).toEqual([['SHP-1']])
})
