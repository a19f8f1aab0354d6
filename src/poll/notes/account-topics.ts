import type { NoteTopic } from '../../model/note.ts'
import type { AccountContext } from '../account-context.ts'
import { noteNumber } from './notebook.ts'
import { StandingTopic } from '../exceptions/standing.ts'
import { OrderTopic } from './order-topic.ts'
import { NoteLoop, type DerivedTopic } from './note-loop.ts'

const TOPICS: readonly NoteTopic[] = ['orders', 'expectations']

/** The topics of an account that what it watches allows. */
function topicsOf(context: AccountContext): readonly DerivedTopic[] {
  const { purchase_orders, shipments } = context.account.watch
  const standing = new StandingTopic(context)
  return [
    ...(standing.resources.length === 0 ? [] : [standing]),
    ...(purchase_orders === undefined || shipments === undefined ? [] : [new OrderTopic(context)]),
  ]
}

/** The loops of the topics of an account, whose commits note for them from now on. */
export function noteLoops(context: AccountContext): readonly NoteLoop[] {
  const loops = topicsOf(context).map((topic) => new NoteLoop(context, topic))
  context.committer.notebook.follow(context.account.name, loops)
  return loops
}

/** Ends the topics that an account no longer has: once it has them again, they begin anew. */
export async function endTopics(
  { account, clock, committer }: AccountContext,
  loops: readonly NoteLoop[],
): Promise<void> {
  for (const topic of TOPICS) {
    if (loops.some((loop) => loop.topic.topic === topic)) continue
    const { settings } = await committer.store.noted(account.name, topic, 1)
    if (settings === null) continue
    const end = { kind: 'topic', topic, settings: null, resources: [], number: noteNumber(clock.now()) } as const
    await committer.commit(account.name, async () => ({ changes: [end] }))
  }
}
