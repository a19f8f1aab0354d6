import { startsFull } from './snapshots.ts'
import type { NameFacts, RuntimeChange, RuntimeRefusal, RuntimeSubscription } from '../model/runtime-subscription.ts'

/** What a store sees of subscriptions made at run time: all of them, those that ended too, and of names that it is asked for more. */
export interface RuntimeLook {
  readonly subscriptions: readonly RuntimeSubscription[]
  readonly nameFacts: (name: string) => NameFacts
}

/**
 * How the endpoint of a subscription is set, as its row has it. `begins`: whether what is on record of it was another's, and so goes:
 * `at once`, or `unless` a command disabled it, which another address does not undo.
 */
export interface EndpointSetting {
  readonly subscription: string
  readonly configured: number
  readonly enabled: number
  readonly ordered: number
  /** A run that sends every known record begins, or the one that is under way ends; null: neither. */
  readonly run: 'begins' | 'ends' | null
  readonly begins: 'at once' | 'unless disabled by command' | null
  /** Whether dates that it was told are not remembered, for it has no `min_shift`. */
  readonly forgetsDates: boolean
}

/** What is to be written. */
interface RuntimeWrites {
  readonly subscriptions: readonly RuntimeSubscription[]
  readonly forgotten: readonly string[]
  readonly endpoints: readonly EndpointSetting[]
}

export type RuntimeDecision = { readonly refusal: RuntimeRefusal } | RuntimeWrites

type ChangeOf<K extends RuntimeChange['kind']> = Extract<RuntimeChange, { readonly kind: K }>

const NOTHING: RuntimeWrites = { subscriptions: [], forgotten: [], endpoints: [] }

/** What comes of a change, given what the store sees and holds; `revision`: the number of what is written. */
export function decideRuntime(look: RuntimeLook, change: RuntimeChange, revision: number): RuntimeDecision {
  switch (change.kind) {
    case 'make':
      return make(look, change, revision)
    case 'alter':
      return alter(look, change, revision)
    case 'verify':
      return verify(look, change, revision)
    case 'end':
      return end(look, change, revision)
    case 'judge':
      return judge(look, change, revision)
    case 'forget':
      return forget(look, change.at)
    default:
      return change satisfies never
  }
}

function make(look: RuntimeLook, change: ChangeOf<'make'>, revision: number): RuntimeDecision {
  const { at, most, name, ordered, owner, sealed, settings } = change
  const before = look.subscriptions.find((each) => each.name === name)
  if (before?.endedAt === null) return { refusal: 'name taken' }
  const { hasEndpoint, hasRows, hasWaiting, isOfFile } = look.nameFacts(name)
  if (isOfFile) return { refusal: 'name of file' }
  // What is on record of a name of the file is the operator's, who owns what has no owner.
  if (hasRows && (before?.owner ?? null) !== owner) return { refusal: 'name of another' }
  if (hasWaiting) return { refusal: 'rows wait' }
  if (look.subscriptions.filter(({ endedAt }) => endedAt === null).length >= most) return { refusal: 'too many' }
  const subscription: RuntimeSubscription = {
    name,
    owner,
    settings,
    sealed,
    ordered,
    madeAt: at,
    renewedAt: at,
    addressedAt: at,
    verifiedAt: null,
    ...ENABLED,
    endedAt: null,
    revision,
  }
  const [full] = startsFull([{ name, start: startOf(settings) }], () => !hasEndpoint)
  const run = full === undefined ? null : 'begins'
  return {
    ...NOTHING,
    subscriptions: [subscription],
    endpoints: [{ ...endpointOf(subscription), run, begins: 'at once', forgetsDates: true }],
  }
}

const ENABLED = { disabledBy: null, disabledReason: null, disabledAt: null } as const

function alter(look: RuntimeLook, change: ChangeOf<'alter'>, revision: number): RuntimeDecision {
  const { at, from, isReaddressed, isRenewed, name, ordered, sealed, settings } = change
  const before = livingOf(look, name)
  if (before === undefined) return { refusal: 'unknown' }
  if (before.revision !== from) return { refusal: 'stale' }
  const { hasWaiting, isOfFile } = look.nameFacts(name)
  if (before.disabledBy === 'file' && isRenewed) {
    if (isOfFile) return { refusal: 'name of file' }
    // Rows that wait were made for the subscription of the file that had the name.
    if (hasWaiting) return { refusal: 'rows wait' }
  }
  const isUnverified = isReaddressed || (before.disabledBy === 'file' && isRenewed)
  const address = isUnverified ? { addressedAt: at, verifiedAt: null } : {}
  const begins = isUnverified ? 'unless disabled by command' : null
  const renewal = isRenewed ? { renewedAt: at, ...ENABLED } : {}
  const subscription = { ...before, settings, sealed, ordered, ...renewal, ...address, revision }
  return {
    ...NOTHING,
    subscriptions: [subscription],
    endpoints: ownEndpoints(subscription).map((each) => ({ ...each, begins })),
  }
}

function verify(look: RuntimeLook, { addressedAt, at, name }: ChangeOf<'verify'>, revision: number): RuntimeDecision {
  const before = livingOf(look, name)
  if (before === undefined) return { refusal: 'unknown' }
  if (before.addressedAt !== addressedAt) return { refusal: 'stale' }
  if (before.verifiedAt !== null) return NOTHING
  const subscription = { ...before, verifiedAt: at, revision }
  return { ...NOTHING, subscriptions: [subscription], endpoints: ownEndpoints(subscription) }
}

/** What waits is discarded by whoever asked for it; the name of a subscription that the file has stays as the file says. */
function end(look: RuntimeLook, { at, from, name }: ChangeOf<'end'>, revision: number): RuntimeDecision {
  const before = livingOf(look, name)
  if (before === undefined) return { refusal: 'unknown' }
  if (from !== undefined && before.revision !== from) return { refusal: 'stale' }
  const subscription = { ...before, sealed: '', endedAt: at, revision }
  const endpoints = ownEndpoints(subscription).map((each) => ({
    ...each,
    configured: 0,
    enabled: 0,
    run: 'ends' as const,
  }))
  return { ...NOTHING, subscriptions: [subscription], endpoints }
}

/**
 * The first reason of a kind stays, with its instant. A name that the file had does not return by itself: what waits for it was made for
 * the subscription of the file.
 */
function judge(look: RuntimeLook, { at, verdicts }: ChangeOf<'judge'>, revision: number): RuntimeDecision {
  const judged = look.subscriptions.flatMap((before): readonly RuntimeSubscription[] => {
    const verdict = verdicts.get(before.name)
    if (before.endedAt !== null || verdict === undefined) return []
    if (before.disabledBy === (verdict?.by ?? null) && before.disabledReason === (verdict?.reason ?? null)) return []
    if (before.disabledBy === 'file') return []
    const disabling =
      verdict === null ? ENABLED : { disabledBy: verdict.by, disabledReason: verdict.reason, disabledAt: at }
    return [{ ...before, ...disabling, revision }]
  })
  // The file may have set endpoints otherwise: all are set again.
  const now = new Map(judged.map((each) => [each.name, each]))
  const living = look.subscriptions.filter(({ endedAt, name }) => endedAt === null && verdicts.has(name))
  return {
    ...NOTHING,
    subscriptions: judged,
    endpoints: living.flatMap((each) => ownEndpoints(now.get(each.name) ?? each)),
  }
}

/** Who had its name a moment ago may be about to write rows of it. */
const LATE_MS = 60_000

function forget({ nameFacts, subscriptions }: RuntimeLook, at: number): RuntimeDecision {
  const ended = subscriptions.filter(({ endedAt }) => endedAt !== null && at >= endedAt + LATE_MS)
  return { ...NOTHING, forgotten: ended.filter(({ name }) => !nameFacts(name).hasRows).map(({ name }) => name) }
}

function livingOf({ subscriptions }: RuntimeLook, name: string): RuntimeSubscription | undefined {
  return subscriptions.find((each) => each.name === name && each.endedAt === null)
}

/** The endpoint of a subscription, unless the file has its name. */
function ownEndpoints(subscription: RuntimeSubscription): readonly EndpointSetting[] {
  return subscription.disabledBy === 'file' ? [] : [endpointOf(subscription)]
}

/** Rows of one that is not verified, or disabled, are held. */
function endpointOf({ disabledBy, name, ordered, settings, verifiedAt }: RuntimeSubscription): EndpointSetting {
  const enabled = verifiedAt !== null && disabledBy === null ? 1 : 0
  const forgetsDates = !Object.hasOwn(JSON.parse(settings), 'min_shift')
  return { subscription: name, configured: 1, enabled, ordered, run: null, begins: null, forgetsDates }
}

function startOf(settings: string): 'live' | 'snapshot' {
  return JSON.parse(settings).start === 'snapshot' ? 'snapshot' : 'live'
}

const HOUR_MS = 3_600_000

/** What time does to a subscription: without an answer to its test within the hour, or a second `ttl` after it lapsed, it ends. */
export function fateOf(
  { addressedAt, renewedAt, verifiedAt }: Pick<RuntimeSubscription, 'addressedAt' | 'renewedAt' | 'verifiedAt'>,
  ttlMs: number,
  now: number,
): 'lives' | 'lapsed' | 'ends' {
  if (verifiedAt === null && now >= addressedAt + HOUR_MS) return 'ends'
  if (ttlMs === 0 || now < renewedAt + ttlMs) return 'lives'
  return now < renewedAt + 2 * ttlMs ? 'lapsed' : 'ends'
}

/** When one that is not verified is tested: first after `firstMs`, then as retries of a delivery would be made. */
interface TestSchedule {
  readonly addressedAt: number
  /** When the newest of its tests rang, whoever asked for that; null: there is none. */
  readonly lastTestAt: number | null
  readonly firstMs: number
  readonly retryMs: readonly number[]
}

/** Behind the last step of a schedule, that step is repeated, and no sooner than after this: a stranger's address is not called each second. */
const LEAST_STEP_MS = 60_000

/** Whether an instant of the schedule has passed since the newest test; those that were missed are one. */
export function isTestDue({ addressedAt, firstMs, lastTestAt, retryMs }: TestSchedule, now: number): boolean {
  const repeatedMs = Math.max(retryMs.at(-1) ?? 0, LEAST_STEP_MS)
  let at = addressedAt + firstMs
  const testedTo = lastTestAt ?? -Infinity
  for (let step = 0; at <= testedTo; step += 1) at += retryMs[step] ?? repeatedMs
  return at <= now
}
