import type { Json, JsonObject } from '../../model/json.ts'
import { loggedPayloadBytes } from '../../model/payload.ts'
import { eventStoryJson, type EventTrace } from '../../report/event-story.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { AdminContext, Asker, DeskStore } from '../admin-context.ts'
import { changesIn, givenPayloads } from './given-payload.ts'
import { narrowedActions } from './narrowed-actions.ts'
import { narrowedReports } from './narrowed-reports.ts'
import { notServed, Sight } from './sight.ts'
import { storeOfAccounts } from './store-of-accounts.ts'
import { storeOfSubscription, type SubscriptionStore } from './store-of-subscription.ts'

/** What says nothing of what is stored and configured: every route has it. */
export type Surroundings = Pick<AdminContext, 'clock' | 'log' | 'version' | 'access' | 'reader' | 'signal'>

/** What somebody sees, and what they may do: all that routes and pages know. */
export interface Desk extends Surroundings, Omit<AdminContext, 'store' | 'sessions' | 'feed' | 'demo'> {
  readonly store: DeskStore
  /** Null: all is seen. */
  readonly sight: Sight | null
  /** The payloads of events in JSON, as whoever asks is shown them. */
  readonly payloadsOf: (events: readonly LoggedEvent[]) => Promise<readonly Uint8Array[]>
  /** What explains an event, as whoever asks is shown it. */
  readonly storyOf: (trace: EventTrace) => Promise<JsonObject>
}

/** The one way from a route to what is stored: no desk is had without saying for whom. */
export interface Desks extends Surroundings {
  deskOf(asker: Asker): Desk
}

/** What a token sees is narrowed here, for every route and page. */
export function desksOf(context: AdminContext): Desks {
  const { access, clock, log, reader, signal, version } = context
  const sightOf = keptSights(context)
  const whole: Desk = {
    ...context,
    sight: null,
    payloadsOf: async (events) => events.map(loggedPayloadBytes),
    storyOf: async (trace) => eventStoryJson(trace),
  }
  return {
    access,
    clock,
    log,
    reader,
    signal,
    version,
    deskOf: (asker) => {
      const sight = sightOf(asker)
      return sight === null ? whole : narrowed(whole, sight)
    },
  }
}

/** Sights, each made once for as long as all that it goes by stays configured. */
function keptSights(context: AdminContext): (asker: Asker) => Sight | null {
  const known = new Map<string, { readonly by: readonly unknown[]; readonly sight: Sight | null }>()
  return (asker) => {
    if (asker.scope.kind === 'all') return null
    const by = [asker.scope, context.access().tokens, context.accounts(), context.subscriptions()]
    const before = known.get(asker.name)
    if (before?.by.every((each, nth) => each === by[nth]) === true) return before.sight
    if (known.size >= MOST_SIGHTS) known.clear()
    const sight = Sight.of(asker, context)
    known.set(asker.name, { by, sight })
    return sight
  }
}

/** Far more than anybody gives tokens to. */
const MOST_SIGHTS = 1_000

function narrowed(whole: Desk, sight: Sight): Desk {
  const { scope } = sight
  const own = scope.kind === 'subscription' ? storeOfSubscription(whole.store, sight, scope.subscription) : null
  const store = own ?? storeOfAccounts(whole.store, sight, scope.kind === 'accounts' ? scope.accounts : [])
  // Nothing that a token of one subscription is shown lists accounts; each of its documents is looked for by its events.
  const accounts: Desk['accounts'] = () =>
    scope.kind === 'subscription' ? whole.accounts() : whole.accounts().filter(({ name }) => sight.account(name))
  const subscriptions: Desk['subscriptions'] = () =>
    whole.subscriptions().filter(({ name }) => sight.subscriptions.has(name))
  return {
    ...whole,
    sight,
    store,
    accounts,
    subscriptions,
    // How the whole is doing is told to those who see the whole.
    readiness: notServed,
    budgetLeft: (account) => (sight.account(account) ? whole.budgetLeft(account) : null),
    reports: narrowedReports(whole.reports, store, sight),
    actionsOf: (asker) => narrowedActions(whole.actionsOf(asker), store, sight),
    ...(own !== null &&
      scope.kind === 'subscription' &&
      givenTo(scope.subscription, { accounts, store: own, subscriptions })),
  }
}

/** A token of one subscription is shown what that subscription is given. */
function givenTo(
  name: string,
  { accounts, store, subscriptions }: Pick<Desk, 'accounts' | 'subscriptions'> & { readonly store: SubscriptionStore },
): Pick<Desk, 'payloadsOf' | 'storyOf'> {
  const payloadsOf: Desk['payloadsOf'] = async (events) =>
    await givenPayloads(events, {
      subscription: name,
      store,
      settings: subscriptions().find((each) => each.name === name),
      accounts: accounts(),
    })
  return {
    payloadsOf,
    storyOf: async (trace) => {
      const [bytes = new Uint8Array()] = await payloadsOf([trace.story.event])
      const payload: Json = JSON.parse(Buffer.from(bytes).toString())
      return { ...eventStoryJson(trace), payload, changes: changesIn(payload), before: null, after: null }
    },
  }
}
