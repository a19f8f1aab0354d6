import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { EventStory } from '../../src/model/event-rule.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleProvenance } from './samples.ts'

/** A chain: each event but the first names the one before it. */
function chain(ids: readonly string[], subject: Partial<EventDraft['subject']> = {}): readonly EventDraft[] {
  return ids.map((id, index) => {
    const place = { version: index + 1, previousEventId: ids[index - 1] ?? null }
    return sampleEvent(id, { subject: { resource: 'shipment', id: 'SHP-1', ...place, ...subject } })
  })
}

function around(story: EventStory | null) {
  return story === null
    ? null
    : {
        previous: story.previous?.id ?? null,
        next: story.next?.id ?? null,
        corrects: story.corrects?.id ?? null,
        correctedBy: story.correctedBy.map(({ id }) => id),
      }
}

const ALONE = { previous: null, next: null, corrects: null, correctedBy: [] }

export function describeStories(open: OpenStore): void {
  describe('the story of an event', () => {
    test('is told for known events only', async () => {
      await using store = await open()
      expect(await store.story('evt_1')).toBeNull()
      await store.commit(batch({ events: [sampleEvent('evt_1')] }))
      expect(await store.story('evt_1')).toEqual({ ...ALONE, event: await store.event('evt_1'), provenance: null })
    })

    test('comes with those of other ids on one page, newest first, as far as there are such', async () => {
      await using store = await open()
      const reminder = sampleEvent('evt_4', { cause: 'reminder', account: 'beta' })
      await store.commit(batch({ events: [...chain(['evt_1', 'evt_2', 'evt_3']), reminder] }))
      const ids = ['evt_3', 'evt_0', 'evt_4', 'evt_1', 'evt_3']
      const found = async (more = {}) => (await store.eventPage({ ids, limit: 9, ...more })).items.map(({ id }) => id)
      expect(await found()).toEqual(['evt_3', 'evt_1'])
      expect(await found({ addressed: true })).toEqual(['evt_4', 'evt_3', 'evt_1'])
      expect(await found({ addressed: true, accounts: ['beta'] })).toEqual(['evt_4'])
      expect(await found({ ids: [] })).toEqual([])
      expect((await store.eventPage({ ids: ['evt_2'], limit: 1 })).items).toEqual([await store.event('evt_2')])
    })

    test('names how it was seen: the same for all events of a commit, whatever is left out', async () => {
      await using store = await open()
      const page = sampleProvenance()
      const { pass: _pass, timeZone: _timeZone, ...bare } = sampleProvenance({ by: 'item', exchanges: [] })
      await store.commit(batch({ events: chain(['evt_1', 'evt_2']), provenance: page }))
      await store.commit(batch({ events: [sampleEvent('evt_3')], provenance: bare }))
      const seen = async (id: string) => (await store.story(id))?.provenance
      expect([await seen('evt_1'), await seen('evt_2'), await seen('evt_3')]).toEqual([page, page, bare])
    })

    test('keeps how an event was seen first, when the same commit is repeated after a crash', async () => {
      await using store = await open()
      const first = sampleProvenance()
      await store.commit(batch({ events: [sampleEvent('evt_1')], provenance: first }))
      const again = sampleProvenance({ pass: { number: 4, startedAt: null } })
      await store.commit(batch({ events: chain(['evt_1', 'evt_2']), provenance: again }))
      expect((await store.story('evt_1'))?.provenance).toEqual(first)
      expect((await store.story('evt_2'))?.provenance).toEqual(again)
    })

    test('names its neighbours in the chain of its own subject', async () => {
      await using store = await open()
      await store.commit(batch({ events: chain(['evt_1', 'evt_2', 'evt_3']) }))
      await store.commit(batch({ events: chain(['evt_t1', 'evt_t2'], { resource: 'tracking' }) }))
      expect(around(await store.story('evt_1'))).toEqual({ ...ALONE, next: 'evt_2' })
      expect(around(await store.story('evt_2'))).toEqual({ ...ALONE, previous: 'evt_1', next: 'evt_3' })
      expect(around(await store.story('evt_3'))).toEqual({ ...ALONE, previous: 'evt_2' })
      expect(around(await store.story('evt_t1'))).toEqual({ ...ALONE, next: 'evt_t2' })
    })

    test('names what it corrects, and what corrected it, in order', async () => {
      await using store = await open()
      const correction = { type: 'shipment.milestone_corrected', cause: 'correction' } as const
      await store.commit(
        batch({
          events: [
            sampleEvent('evt_1'),
            sampleEvent('evt_2', { ...correction, extras: { corrects: 'evt_1' } }),
            sampleEvent('evt_3', { ...correction, extras: { corrects: 'evt_1' } }),
            sampleEvent('evt_4', { ...correction, extras: { corrects: null } }),
            sampleEvent('evt_5', { ...correction, extras: { corrects: 'evt_gone' } }),
          ],
        }),
      )
      expect(around(await store.story('evt_1'))).toEqual({ ...ALONE, correctedBy: ['evt_2', 'evt_3'] })
      expect(around(await store.story('evt_2'))).toEqual({ ...ALONE, corrects: 'evt_1' })
      expect(around(await store.story('evt_4'))).toEqual(ALONE)
      expect(around(await store.story('evt_5'))).toEqual(ALONE)
    })
  })
}
