import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { collectItems } from '../../model/page.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { AdminActions, DeskStore, RetryChoice } from '../admin-context.ts'
import type { RuntimeActions } from '../runtime-actions.ts'
import type { Sight } from './sight.ts'

/** The actions of somebody who sees a part: what they do not see is not there, whatever they would do with it. */
export function narrowedActions(actions: AdminActions, store: DeskStore, sight: Sight): AdminActions {
  return {
    ...onDeliveries(actions, store, sight),
    ...onSubscriptions(actions, sight),
    ...onOwnSubscriptions(actions, sight),
    judgeHold: async (hold, verdict) => {
      if (!sight.account(hold.account)) throw notFound('account', hold.account)
      return await actions.judgeHold(hold, verdict)
    },
    acknowledge: async (id, said) => {
      const { items } = await store.exceptionPage({ now: 0, limit: 2, named: id })
      if (!items.some((each) => each.id === id)) throw notFound('exception', id)
      return await actions.acknowledge(id, said)
    },
  }
}

function onDeliveries(
  actions: AdminActions,
  store: DeskStore,
  sight: Sight,
): Pick<AdminActions, 'retry' | 'countMatching' | 'retryMatching'> {
  const requireChoice = ({ only, subscription }: RetryChoice): void => {
    requireSubscription(subscription, sight)
    if (only?.account !== undefined && !sight.account(only.account)) throw notFound('account', only.account)
  }
  return {
    retry: async (id) => {
      let pending = 0
      for (const row of await rowsNamed(store, id)) pending += await actions.retry(row)
      return pending
    },
    countMatching: async (choice) => {
      requireChoice(choice)
      return await actions.countMatching(choice)
    },
    retryMatching: async (choice, options) => {
      requireChoice(choice)
      return await actions.retryMatching(choice, options)
    },
  }
}

type OnSubscriptions =
  | 'test'
  | 'enable'
  | 'disable'
  | 'discard'
  | 'takeFeed'
  | 'countSnapshot'
  | 'beginSnapshot'
  | 'cancelSnapshot'

function onSubscriptions(actions: AdminActions, sight: Sight): Pick<AdminActions, OnSubscriptions> {
  const seen = onlyAfter((name) => requireSubscription(name, sight))
  return {
    test: seen(async (name, signal: AbortSignal) => await actions.test(name, signal)),
    enable: seen(async (name) => await actions.enable(name)),
    disable: seen(async (name) => await actions.disable(name)),
    discard: seen(async (name) => await actions.discard(name)),
    takeFeed: seen(async (name, position: number) => await actions.takeFeed(name, position)),
    countSnapshot: seen(async (name, only: RecordResource | null) => await actions.countSnapshot(name, only)),
    beginSnapshot: seen(async (name, only: RecordResource | null) => await actions.beginSnapshot(name, only)),
    cancelSnapshot: seen(async (name) => await actions.cancelSnapshot(name)),
  }
}

/** What is made with a token lives within its accounts; what others made is theirs to change. */
function onOwnSubscriptions(actions: AdminActions, sight: Sight): RuntimeActions {
  const owned = onlyAfter((name) => requireOwned(name, sight))
  return {
    subscribe: async (keys) => await actions.subscribe(keys),
    alter: owned(async (name, keys: JsonObject) => await actions.alter(name, keys)),
    rotateSecret: owned(async (name) => await actions.rotateSecret(name)),
    unsubscribe: owned(async (name) => await actions.unsubscribe(name)),
  }
}

type OnName<Rest extends readonly unknown[], Result> = (name: string, ...rest: Rest) => Promise<Result>

/** Does with a subscription what is to be done once `judge` has not thrown for its name. */
function onlyAfter(judge: (name: string) => void) {
  return <Rest extends readonly unknown[], Result>(act: OnName<Rest, Result>): OnName<Rest, Result> =>
    async (name, ...rest) => {
      judge(name)
      return await act(name, ...rest)
    }
}

function requireSubscription(name: string, sight: Sight): void {
  if (!sight.subscriptions.has(name)) throw notFound('subscription', name)
}

function requireOwned(name: string, sight: Sight): void {
  requireSubscription(name, sight)
  if (sight.scope.kind === 'accounts' && sight.scope.owned?.includes(name) === true) return
  throw new ShipbellError('wrong_state', `${name} was not made with this token: who has \`http.token\` can change it.`)
}

/** The rows that an id means, a row's own or an event's: those of others are left alone. */
async function rowsNamed(store: DeskStore, id: string): Promise<readonly string[]> {
  const [row] = await store.deliveries([id])
  if (row !== undefined) return [row.id]
  const rows = await collectItems(async (page) => await store.deliveryPage({ eventId: id, oldestFirst: true, ...page }))
  if (rows.length === 0) throw notFound('delivery', id)
  return rows.map((each) => each.id)
}

function notFound(what: string, name: string): ShipbellError {
  return new ShipbellError('not_found', `There is no ${what} ${JSON.stringify(name)}.`)
}
