import type { AccountSettings } from '../model/account.ts'
import type { HeldList } from '../model/hold.ts'
import type { JsonObject } from '../model/json.ts'
import type { KeptLimit } from '../model/own-limit.ts'
import { watchedAs } from '../model/resource.ts'
import type { QuarantinedRecord } from '../store/ports/log-query-port.ts'
import type { AccountOverview, EndpointOverview } from '../store/ports/query-port.ts'
import { incompleteOf } from './account.ts'
import { auditLines, type AuditLine } from './audit.ts'
import { begunAnew } from './begun-anew.ts'
import type { ConfigurationOverview } from './configuration.ts'
import { roughDuration } from './delay.ts'
import { limitWords } from './limit-words.ts'
import { readAges, type ReadAge } from './read-age.ts'
import { englishAmount, type Need } from './need.ts'
import type { AccountPlan } from './plan.ts'
import { quarantinedByAccount, unjudgedRules, type FailingRecords } from './record-needs.ts'
import type { WorkerOverview } from './workers.ts'

/** What is known; what nobody looked up is left out. */
export interface NeedFacts {
  readonly now: number
  /** Whether a process polls and delivers. */
  readonly running: boolean
  /** The accounts as configured; null: the configuration cannot be read. Accounts that are not in it need nobody. */
  readonly settings: readonly Pick<AccountSettings, 'audit' | 'name' | 'watch'>[] | null
  readonly accounts: readonly AccountOverview[]
  readonly endpoints: readonly EndpointOverview[]
  readonly holds: readonly HeldList[]
  readonly plans?: readonly Pick<AccountPlan, 'account' | 'fits'>[]
  readonly quarantined?: readonly QuarantinedRecord[]
  readonly failing?: readonly FailingRecords[]
  readonly workers?: readonly WorkerOverview[]
  readonly configuration?: readonly ConfigurationOverview[]
  readonly begunAnewAt?: number | null
  /** What of the work of a daemon that has the store alone does not come through; null or left out: all does. */
  readonly stalled?: string | null
  readonly limits?: readonly KeptLimit[]
}

/** What needs a person, the gravest first. */
export function needsOf(facts: NeedFacts): readonly Need[] {
  const known = new Set(facts.settings?.map(({ name }) => name))
  const isOurs = ({ account }: { readonly account: string }): boolean => facts.settings === null || known.has(account)
  const accounts = facts.accounts.filter(isOurs)
  return [
    ...noDaemon(facts),
    ...(facts.configuration ?? []).flatMap(configurationNeeds),
    ...begunAnew(facts),
    ...stalls(facts),
    ...(facts.limits ?? [])
      .map(limitWords)
      .map((said): Need => ({ kind: 'limit', urgent: false, ...said, page: '/system' })),
    ...accounts.flatMap(refusedKeys),
    ...accounts.flatMap((account) => incompleteLists(account, facts)),
    ...auditLines(accounts, facts.settings, facts.now).flatMap(staleLists),
    ...facts.holds.filter(isOurs).flatMap(heldRemovals),
    ...facts.endpoints.flatMap(endpointNeeds),
    ...facts.endpoints.flatMap((endpoint) => untakenFeeds(endpoint, facts.now)),
    ...lateBesideDaemon(facts),
    ...(facts.plans ?? []).filter(isOurs).flatMap(unfitting),
    ...quarantinedByAccount((facts.quarantined ?? []).filter(isOurs)),
    ...(facts.failing ?? []).filter(isOurs).flatMap(unjudgedRules),
    ...outdatedWorkers((facts.workers ?? []).filter(({ configDiffers }) => configDiffers)),
  ]
}

/** A need as commands and the API give it. */
export function needJson({ kind, urgent, account, subscription, resource, what, remedy, page }: Need): JsonObject {
  const named = { account: account ?? null, subscription: subscription ?? null, resource: resource ?? null }
  return { kind, urgent, ...named, what, remedy, page }
}

function configurationNeeds(overview: ConfigurationOverview): readonly Need[] {
  const { file, host, pid, problems, restart, worker } = overview
  const who = worker === null ? '' : `The worker ${worker.slice(0, 8)} (process ${pid} on ${host}): `
  const [first, ...others] = problems
  const more = others.length === 0 ? '' : ` (and ${englishAmount(others.length)} more)`
  const rejected = {
    kind: 'rejected' as const,
    what: `${who}${file} was changed and cannot be used, so what it said before stays in force: ${first}${more}.`,
    remedy: 'Mend the file until `shipbell check` finds nothing wrong: it is taken up by itself.',
  }
  const waiting = {
    kind: 'restart' as const,
    what: `${who}${file} has another \`${restart.join('` and `')}\`, which only a restart puts in force.`,
    remedy: 'Restart Shipbell, or take the change back.',
  }
  const needs = [...(first === undefined ? [] : [rejected]), ...(restart.length === 0 ? [] : [waiting])]
  return needs.map((need) => ({ ...need, urgent: true, page: '/system' }))
}

/** A configuration that is rolled out passes by; one that some have not got, or with other variables, does not. */
function outdatedWorkers([first, ...others]: readonly WorkerOverview[]): readonly Need[] {
  if (first === undefined) return []
  const name = `The worker ${first.id.slice(0, 8)} (process ${first.pid} on ${first.host})`
  const who =
    others.length === 0
      ? `${name} reads nothing: it has`
      : `${name} and ${englishAmount(others.length)} more read nothing: they have`
  const what = `${who} another configuration than the newest.`
  const remedy = 'Give all workers the same file and the same variables.'
  return [{ kind: 'outdated', urgent: false, what, remedy, page: '/system' }]
}

function stalls({ stalled = null, workers = [] }: NeedFacts): readonly Need[] {
  const about = { kind: 'stalled', urgent: true, page: '/system' } as const
  const remedy = 'Look into the log of the daemon (`store.stalled`) and of the database: it goes on by itself.'
  const told = workers.flatMap((worker) => (worker.stalled == null ? [] : [{ ...worker, stalled: worker.stalled }]))
  const [first] = told
  if (first === undefined) return stalled === null ? [] : [{ ...about, what: sentence(stalled), remedy }]
  const name = `Worker ${first.id.slice(0, 8)} (process ${first.pid} on ${first.host})`
  const others = told.length === 1 ? '' : ` (and ${englishAmount(told.length - 1)} more)`
  return [{ ...about, what: `${name}${others}: ${sentence(first.stalled)}`, remedy }]
}

function agesOf({ accounts, now, settings }: NeedFacts): readonly ReadAge[] {
  return (settings ?? []).flatMap((each) =>
    readAges(
      each,
      accounts.find(({ account }) => account === each.name),
      now,
    ),
  )
}

/** Without a daemon nobody catches up, so that there is no grace. */
function noDaemon(facts: NeedFacts): readonly Need[] {
  if (facts.running) return []
  const late = agesOf(facts).filter(({ state }) => state === 'late' || state === 'grace')
  const worst = worstOf(late)
  if (worst === undefined) return []
  const others = late.length > 1 ? `, and ${englishAmount(late.length - 1)} more` : ''
  const what = `No daemon runs while promises are late: ${lateness(worst)}${others}.`
  return [{ kind: 'no_daemon', urgent: true, what, remedy: 'Start it with `shipbell run`.', page: '/accounts' }]
}

function worstOf(ages: readonly ReadAge[]): ReadAge | undefined {
  return ages.toSorted((left, right) => excessOf(right) - excessOf(left))[0]
}

function excessOf({ ageMs, promiseMs }: ReadAge): number {
  return (ageMs ?? 0) / promiseMs
}

function lateness({ account, ageMs, promiseMs, resource }: ReadAge): string {
  const ago = roughDuration(ageMs ?? 0, Math.floor)
  return `${account} ${spoken(resource)}, read ${ago} ago, to be read every ${roughDuration(promiseMs)}`
}

/**
 * A daemon catches up by itself, so lateness beside it is worth a look only past its grace, and exits 0. Where a key is
 * refused, a list cannot be read whole, removals are held or the budget is too small, that is the need, and lateness follows
 * from it.
 */
function lateBesideDaemon(facts: NeedFacts): readonly Need[] {
  if (!facts.running) return []
  const explained = new Set((facts.plans ?? []).filter(({ fits }) => !fits).map(({ account }) => account))
  const late = agesOf(facts).filter(({ account, resource, state }) => {
    const overview = facts.accounts.find((each) => each.account === account)
    const memory = overview?.record?.memory
    const list = overview?.lists.find((each) => watchedAs(each.resource) === resource)
    const isRefused = memory?.health?.state === 'unauthorized' || memory?.refused?.[resource] !== undefined
    const isHeld = facts.holds.some((hold) => hold.account === account && watchedAs(hold.resource) === resource)
    const isIncomplete = list !== undefined && incompleteOf(list) !== null
    return state === 'late' && !isRefused && !isHeld && !isIncomplete && !explained.has(account)
  })
  return [...Map.groupBy(late, ({ account }) => account)].flatMap(([account, ages]) => {
    const worst = worstOf(ages)
    if (worst === undefined) return []
    const remedy = `\`shipbell status --account ${account}\` shows how its platform answers.`
    const of = { account, resource: worst.resource, page: accountPage(account) }
    return [{ kind: 'late', urgent: false, ...of, what: `Late: ${lateness(worst)}.`, remedy }]
  })
}

function refusedKeys({ account, record }: AccountOverview): readonly Need[] {
  const { health, refused = {} } = record?.memory ?? {}
  const about = { kind: 'refused', urgent: true, account, page: accountPage(account) } as const
  if (health?.state === 'unauthorized') {
    const what = `${account}: the platform refuses the key: ${sentence(health.reason ?? 'no reason given')}`
    const remedy = 'Correct `api_key`, then try it with `shipbell api GET /v1/shipments --account NAME`.'
    return [{ ...about, what, remedy: remedy.replace('NAME', account) }]
  }
  return Object.entries(refused).map(([name, { reason }]) => ({
    ...about,
    what: `${account}: the key may not read ${name}: ${sentence(reason)}`,
    remedy: `Have the platform allow it, or take ${name} out of \`watch\` and see \`shipbell plan\`.`,
  }))
}

/** Lists that are watched and were not read whole for several passes. */
function incompleteLists({ account, lists }: AccountOverview, { settings }: NeedFacts): readonly Need[] {
  const watch = settings?.find(({ name }) => name === account)?.watch
  return lists.flatMap((list): readonly Need[] => {
    const [resource, incomplete] = [watchedAs(list.resource), incompleteOf(list)]
    if (incomplete === null || (watch !== undefined && watch[resource] === undefined)) return []
    const what = `${account}: not all ${spoken(resource)} can be read: ${sentence(incomplete.reason)}`
    const remedy = 'Tell the platform. The rest is followed, and nothing of them is taken for removed.'
    return [{ kind: 'incomplete', urgent: true, account, resource, what, remedy, page: accountPage(account) }]
  })
}

function staleLists({ account, resource, staleSince, sum }: AuditLine): readonly Need[] {
  if (staleSince === null) return []
  const what = `${account}: the list of ${spoken(resource)} shows old rows, while fetches by id show newer ones (${englishAmount(sum.differed)} of ${englishAmount(sum.sampled)} differed).`
  const remedy = 'Tell the platform, or look for a cache before it. Changes are told once the list shows them.'
  return [{ kind: 'stale', urgent: true, account, resource, what, remedy, page: accountPage(account) }]
}

function heldRemovals({ account, known, missing, reason, resource, verdict }: HeldList): readonly Need[] {
  if (verdict !== null) return []
  const watch = watchedAs(resource)
  const which = reason === 'unproved' ? ' --reason unproved' : ''
  const command = `shipbell holds accept --account ${account} --resource ${watch}${which}`
  const doubt = reason === 'unproved' ? 'and a fetch by id proves nothing' : 'which is not believed'
  const what = `${account}: ${englishAmount(missing)} of ${englishAmount(known)} ${spoken(watch)} are gone from the list, ${doubt}.`
  const remedy = `Look at the platform, then \`${command}\`, or \`reject\` in place of \`accept\`.`
  return [{ kind: 'held', urgent: true, account, resource: watch, what, remedy, page: accountPage(account) }]
}

function endpointNeeds(endpoint: EndpointOverview): readonly Need[] {
  const { configured, counts, disabled, enabled, subscription } = endpoint
  const about = { urgent: true, subscription, page: `/subscriptions/${subscription}` } as const
  const needs: Need[] = []
  const bounds = endpoint.runtime?.disabled ?? null
  // One that lapsed is its owner's affair.
  if (bounds !== null && bounds.by !== 'lapsed') {
    const what = `${subscription}, made at run time, is disabled: ${sentence(bounds.reason)}`
    const remedy = 'Change the configuration, have its owner change it, or end it.'
    needs.push({ ...about, kind: 'disabled', what, remedy })
  } else if (configured && enabled && disabled !== null) {
    const what = `${subscription} is disabled (${disabled.reason}); ${events(counts.held)} held.`
    const remedy = `Once it works again, \`shipbell subscriptions enable ${subscription}\`.`
    needs.push({ ...about, kind: 'disabled', what, remedy })
  } else if (configured && enabled && endpoint.failuresInARow > 0) {
    const times = endpoint.failuresInARow === 1 ? 'once' : `${englishAmount(endpoint.failuresInARow)} times in a row`
    const what = `${subscription} failed ${times}: ${sentence(endpoint.lastError ?? 'no reason known')}`
    needs.push({
      ...about,
      kind: 'failing',
      what,
      remedy: `Try it with \`shipbell subscriptions test ${subscription}\`.`,
    })
  }
  if (counts.exhausted > 0) {
    const what = `${subscription}: ${events(counts.exhausted)} not delivered, and no retry is left.`
    const command = `shipbell deliveries retry --subscription ${subscription} --since 30d`
    needs.push({ ...about, kind: 'exhausted', what, remedy: `Once it works again, \`${command}\`.` })
  }
  return needs
}

const DAY_MS = 86_400_000

/** A feed of which nobody has taken for a day what waits in it. */
function untakenFeeds(
  { counts, isPulled, lastSuccessAt, oldestPendingAt, subscription }: EndpointOverview,
  now: number,
) {
  const since = Math.max(oldestPendingAt ?? now, lastSuccessAt ?? 0)
  if (!isPulled || now - since < DAY_MS) return []
  const waiting = counts.pending === 1 ? '1 event waits' : `${englishAmount(counts.pending)} events wait`
  const what = `${subscription}: nobody took from its feed for ${roughDuration(now - since, Math.floor)}; ${waiting}.`
  const remedy = 'See to whoever reads it: it acknowledges what it has by `POST /api/v1/subscriptions/NAME/feed/ack`.'
  const about = { kind: 'untaken', urgent: true, subscription, page: `/subscriptions/${subscription}` } as const
  return [{ ...about, what, remedy: remedy.replace('NAME', subscription) }]
}

function unfitting({ account, fits }: Pick<AccountPlan, 'account' | 'fits'>): readonly Need[] {
  if (fits) return []
  const what = `${account}: its budget is too small to read everything as often as promised.`
  const remedy = '`shipbell plan` shows what would fit.'
  return [{ kind: 'does_not_fit', urgent: false, account, what, remedy, page: '/plan' }]
}

function accountPage(account: string): string {
  return `/accounts/${account}`
}

function events(amount: number): string {
  return amount === 1 ? '1 event is' : `${englishAmount(amount)} events are`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** `purchase_orders` → `purchase orders` */
function spoken(resource: string): string {
  return resource.replaceAll('_', ' ')
}
