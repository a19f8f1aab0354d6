import { standingOf } from '../../detect/standing.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Note } from '../../model/note.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { noteNumber } from '../notes/notebook.ts'
import type { DerivedTopic } from '../notes/note-loop.ts'

/** The resources that exceptions are about, by what is watched. */
const SUBJECTS = { shipments: 'shipment', invoices: 'invoice', purchase_orders: 'purchase_order' } as const

function subjectsOf({ watch }: AccountSettings): readonly RecordResource[] {
  return Object.entries(SUBJECTS).flatMap(([name, resource]) => (Object.hasOwn(watch, name) ? [resource] : []))
}

function settingsOf(account: AccountSettings): string {
  return subjectsOf(account).join(' ')
}

/**
 * Opens what stands on records that were known before exceptions were kept of them: at an upgrade, and where their list is watched
 * again. The commits of reads do so for all others.
 */
export class StandingTopic implements DerivedTopic {
  readonly topic = 'exceptions'
  readonly resources: readonly RecordResource[]
  readonly subjects: readonly RecordResource[]
  readonly settings: string
  readonly #context: AccountContext

  constructor(context: AccountContext) {
    this.#context = context
    this.resources = subjectsOf(context.account)
    this.subjects = this.resources
    this.settings = settingsOf(context.account)
  }

  moves(): boolean {
    return false
  }

  explains(): boolean {
    return false
  }

  async derive(notes: readonly Note[]): Promise<News> {
    const { account, clock, committer } = this.#context
    const byResource = [...Map.groupBy(notes, ({ resource }) => resource)]
    const loaded = await Promise.all(
      byResource.map(async ([resource, own]) =>
        committer.store.records(
          account.name,
          resource,
          own.map(({ id }) => id),
        ),
      ),
    )
    const opens = loaded.flatMap((states) => [...states.values()].flatMap((state) => standingOf(state, clock.now())))
    return opens.length === 0 ? {} : { exceptions: { opens } }
  }
}

/**
 * Before anything is read: what is no longer watched closes, and what is watched anew and has records is looked through. A list
 * without records is not: its reads say what stands.
 */
export async function beginStanding({ account, clock, committer }: AccountContext): Promise<void> {
  const { store } = committer
  const { notes, settings } = await store.noted(account.name, 'exceptions', 1)
  const wanted = settingsOf(account)
  if ((settings ?? '') === wanted) return
  const [before, now] = [settings?.split(' ') ?? [], subjectsOf(account)]
  const gone = Object.values(SUBJECTS).filter((each) => before.includes(each) && !now.includes(each))
  // What stands on orders is derived of several records, elsewhere.
  const own = now.filter((each) => each !== 'purchase_order')
  const fresh = own.filter((each) => notes.length > 0 || !before.includes(each))
  const lists = await Promise.all(fresh.map(async (each) => [each, await store.listState(account.name, each)] as const))
  const resources = lists.flatMap(([each, { records }]) => (records > 0 ? [each] : []))
  const [at, number] = [clock.now(), noteNumber(clock.now())]
  // An order is judged by its shipments.
  const ordersToo = gone.includes('shipment')
    ? [{ type: 'purchase_order.delivery_at_risk' as const, by: 'unwatched', at }]
    : []
  const closes = [...gone.map((resource) => ({ resource, by: 'unwatched', at })), ...ordersToo]
  await committer.commit(account.name, async () => ({
    changes: [{ kind: 'topic', topic: 'exceptions', settings: wanted === '' ? null : wanted, resources, number }],
    ...(closes.length > 0 && { exceptions: { closes } }),
  }))
}
