import { systemClock } from '../../src/clock.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import { randomOf } from '../../src/sandbox/random.ts'
import { Polling } from '../poll/polling.ts'
import { HostileAnswers, MOODS, type Kind, type Mood } from './hostile-answers.ts'
import { multisetDifference } from './multiset-difference.ts'

export interface HostileFigures {
  readonly mutations: number
  readonly expected: number
  readonly events: number
  readonly missed: readonly string[]
  readonly invented: readonly string[]
  /** What rang of the account itself. */
  readonly account: Readonly<Record<string, number>>
}

export interface HostileLife {
  readonly seed: number
  readonly rounds: number
  /** Records of each kind. */
  readonly size: number
}

/** An account behind hostile answers, read by the real client; what rang is compared with what could be read. */
export async function liveHostile({ rounds, seed, size }: HostileLife): Promise<HostileFigures> {
  const random = randomOf('hostile answers', seed)
  await using answers = await HostileAnswers.start(random, size)
  await using polling = new Polling(
    {},
    {
      connect: (clock) =>
        createPlatformClient({
          baseUrl: answers.url,
          apiKey: 'key',
          timeoutMs: 30_000,
          concurrency: 4,
          userAgent: 'shipbell/world',
          // Answers take real time, whatever the clock of the world says.
          clock: { now: () => clock.now(), after: (ms, act) => systemClock.after(ms, act) },
        }),
    },
  )
  // A baseline may begin on a bad day.
  for (let round = 0; round < rounds; round += 1) {
    answers.mood = moodOf(round, random.pick(MOODS))
    answers.mutate(random.whole(0, size / 4))
    const silent = await unbaselined(polling)
    const known = answers.expected.length
    await polling.pass()
    answers.silence(silent, known)
    await polling.clock.advance(random.pick([60_000, 3_600_000, 7 * 3_600_000]))
  }
  const events = await polling.events()
  const ofRecords = events.filter(({ subject }) => subject.resource !== 'account')
  const ofAccount = events.filter(({ subject }) => subject.resource === 'account').map(({ type }) => type)
  const account = Object.fromEntries(
    [...Map.groupBy(ofAccount, (type) => type)].map(([type, own]) => [type, own.length]),
  )
  const rang = ofRecords.map(({ type, subject }) => `${type} ${subject.id}`)
  const difference = multisetDifference(answers.expected, rang)
  return {
    mutations: answers.mutations,
    expected: answers.expected.length,
    events: rang.length,
    account,
    ...difference,
  }
}

/** Lists of which nothing rings yet: until their baseline is complete, what they show is learnt. */
async function unbaselined({ store }: Polling): Promise<readonly Kind[]> {
  const lists = ['shipment', 'invoice'] as const
  const states = await Promise.all(lists.map(async (kind) => store.listState('acme', kind)))
  return lists.filter((_, at) => states[at]?.baselinedAt === null)
}

/** Every second day is calm: what the first pass left out is read while that is silent, and whatever was unread is read. */
function moodOf(round: number, mood: Mood): Mood {
  return round % 2 === 1 ? 'calm' : mood
}
