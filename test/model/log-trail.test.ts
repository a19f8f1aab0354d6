import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogTrail, type LogMark } from '../../src/model/log-trail.ts'

class Log {
  marks: LogMark[] = []
  reads = 0

  /** When what is added rings. */
  now = 0

  add(...ids: readonly string[]): void {
    for (const id of ids) {
      this.marks.push({ place: (this.marks.at(-1)?.place ?? 0) + 1, event: { id, timestamp: this.now } })
    }
  }

  readonly logPage = async ({ after, limit }: { readonly after: number; readonly limit: number }) => {
    this.reads += 1
    return { events: this.marks.filter((mark) => mark.place > after).slice(0, limit) }
  }

  readonly logEnds = async () => ({ lastPlace: this.marks.at(-1)?.place ?? 0 })
}

async function readAll(trail: LogTrail<LogMark>, limit = 3): Promise<readonly string[]> {
  const ids: string[] = []
  for (;;) {
    const { events, wentBack } = await trail.next(limit)
    ids.push(...events.map(({ event }) => event.id))
    if (events.length < limit && !wentBack) return ids
  }
}

function numbered(word: string, amount: number): readonly string[] {
  return Array.from({ length: amount }, (_, nth) => `${word} ${nth}`)
}

test('a log that grows is read on from where it was begun, each event once', async () => {
  const log = new Log()
  log.add('a', 'b')
  const trail = new LogTrail(log, 2)
  expect(await readAll(trail)).toEqual([])
  log.add('c', 'd', 'e', 'f')
  expect(await readAll(trail)).toEqual(['c', 'd', 'e', 'f'])
  expect([await readAll(trail), trail.place]).toEqual([[], 6])
})

test('of a log that went back, all that it has behind what both have is read, wherever it ends', async () => {
  const amounts = fc.record({
    shared: fc.nat({ max: 150 }),
    read: fc.nat({ max: 150 }),
    lost: fc.nat({ max: 80 }),
    other: fc.nat({ max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(amounts, async ({ lost, other, read, shared }) => {
      const log = new Log()
      log.add(...numbered('shared', shared))
      const trail = new LogTrail(log, Math.min(read, shared))
      await readAll(trail)
      log.add(...numbered('lost', lost))
      expect(await readAll(trail)).toEqual(numbered('lost', lost))
      log.marks.length = shared
      log.add(...numbered('other', other))
      expect(await readAll(trail)).toEqual(numbered('other', other))
    }),
  )
})

test('a log that went back is noticed where its last event rang again at the same place, behind others', async () => {
  const log = new Log()
  log.add('shared')
  const trail = new LogTrail(log, 1)
  log.add('lost 1', 'both 2', 'both 3')
  expect(await readAll(trail)).toEqual(['lost 1', 'both 2', 'both 3'])
  log.marks.length = 1
  log.now = 1
  log.add('found 1', 'both 2', 'both 3')
  expect(await readAll(trail)).toEqual(['found 1', 'both 2', 'both 3'])
})

test('one that has nothing of what was read is gone on with from its end, or from before that', async () => {
  const log = new Log()
  log.add(...numbered('before', 5_000))
  const trail = new LogTrail(log, 5_000)
  await readAll(trail)
  log.marks = []
  log.add(...numbered('another', 300))
  expect([await readAll(trail), trail.place]).toEqual([[], 300])
  log.reads = 0
  log.add('next')
  expect([await readAll(trail), log.reads]).toEqual([['next'], 1])
})
