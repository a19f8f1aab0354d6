import type { SeenResource } from '../../model/expectation.ts'
import type { NoteTopic } from '../../model/note.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { endOfTopic } from './notebook.ts'
import { ArrivalTopic, beginArrivals } from './arrival-topic.ts'
import { beginStanding, StandingTopic } from '../exceptions/standing.ts'
import { OrderTopic } from './order-topic.ts'
import { ExpectationTimer } from '../expectations/expectation-timer.ts'
import { endedExpectations, ExpectationTopic } from '../expectations/expectation-topic.ts'
import { ReadTimes } from '../expectations/read-times.ts'
import { NoteLoop, type DerivedTopic } from './note-loop.ts'

const TOPICS: readonly NoteTopic[] = ['orders', 'expectations', 'arrivals']

/** The topics of an account that what it watches allows. */
function topicsOf(context: AccountContext): readonly DerivedTopic[] {
  const { purchase_orders, shipments } = context.account.watch
  const standing = new StandingTopic(context)
  return [
    ...(standing.resources.length === 0 ? [] : [standing]),
    ...(shipments === undefined ? [] : [new ArrivalTopic(context)]),
    ...(purchase_orders === undefined || shipments === undefined ? [] : [new OrderTopic(context)]),
  ]
}

/** What takes up notes, or what time makes of them. */
export type NoteTimer = NoteLoop | ExpectationTimer

/**
 * The loops of the topics of an account, whose commits note for them from now on. `completeFrom`: when the last complete pass over a list
 * started; null: none did.
 */
export function noteTimers(
  context: AccountContext,
  completeFrom: (resource: SeenResource) => number | null,
): readonly NoteTimer[] {
  const { account, committer } = context
  const reads = new ReadTimes(context, completeFrom)
  const expectations = new ExpectationTopic(context, reads)
  const hasRules = expectations.rules.length > 0
  const topics = [...topicsOf(context), ...(hasRules ? [expectations] : [])]
  const loops = topics.map((topic) => new NoteLoop(context, topic))
  committer.notebook.follow(account.name, loops)
  return hasRules ? [...loops, new ExpectationTimer(context, expectations, reads)] : loops
}

/** Before anything is read: what may begin begins, and what an account no longer has ends. */
export async function beginTopics(context: AccountContext, timers: readonly NoteTimer[]): Promise<void> {
  await beginStanding(context)
  await beginArrivals(context)
  await endTopics(context, timers)
}

/** Ends the topics that an account no longer has: once it has them again, they begin anew. */
async function endTopics({ account, clock, committer }: AccountContext, timers: readonly NoteTimer[]): Promise<void> {
  for (const topic of TOPICS) {
    if (timers.some((timer) => timer.topic.topic === topic)) continue
    const { settings } = await committer.store.noted(account.name, topic, 1)
    if (settings === null) continue
    const at = clock.now()
    const { changes = [], ...news }: News = topic === 'expectations' ? endedExpectations(at) : {}
    await committer.commit(account.name, async () => ({ ...news, changes: [endOfTopic(topic, at), ...changes] }))
  }
}
