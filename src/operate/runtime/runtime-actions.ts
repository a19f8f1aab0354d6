import type { Clock } from '../../clock.ts'
import type { LiveConfig } from '../../config/live-config.ts'
import { readRuntime, type RuntimeProblem, strangeKeys } from '../../config/runtime-keys.ts'
import type { RuntimeSettings } from '../../config/runtime-schema.ts'
import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RuntimeChange, RuntimeRefusal, RuntimeSubscription } from '../../model/runtime-subscription.ts'
import type { RuntimeActions, Subscribing } from '../../serve/runtime-actions.ts'
import type { Store } from '../../store/ports/store.ts'
import { discardHeld } from '../change-endpoint.ts'
import { newSecret } from './sealing.ts'
import { accountsOfOwner, seesOwner, type RuntimeMaker } from './owners.ts'
import { opened, rotated, signing, stored, type RuntimeDocument } from './runtime-document.ts'
import type { RuntimeFollower } from './runtime-follower.ts'

export interface RuntimeActionParts {
  readonly live: LiveConfig
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly follower: RuntimeFollower
}

const MOST_TRIES = 5

/** Subscriptions as they are made, changed and ended over the API and the desk. */
export function runtimeActions(parts: RuntimeActionParts, maker: RuntimeMaker): RuntimeActions {
  const own = (name: string): Named => ({ parts, maker, name })
  return {
    subscribe: async (body) => await make(parts, maker, body),
    alter: async (name, body) => await alter(own(name), body),
    rotateSecret: async (name) => await rotate(own(name)),
    unsubscribe: async (name) => await end(own(name)),
  }
}

function requireSettings({ live }: RuntimeActionParts): RuntimeSettings {
  const settings = live.file.runtimeSubscriptions
  if (settings !== null) return settings
  throw wrongState('Subscriptions come from files alone here: `runtime_subscriptions` is not in the configuration.')
}

/** A subscription that a maker names. */
interface Named {
  readonly parts: RuntimeActionParts
  readonly maker: RuntimeMaker
  readonly name: string
}

async function make(parts: RuntimeActionParts, maker: RuntimeMaker, body: JsonObject): Promise<Subscribing> {
  const settings = requireSettings(parts)
  const { clock, follower, live, store } = parts
  const { name, ...rest } = body
  const strange = strangeKeys(rest)
  if (strange.length > 0) return { problems: strange }
  if (typeof name !== 'string') return { problems: [{ at: 'name', says: '`name` is missing: give it as text' }] }
  const secret = newSecret()
  const document: RuntimeDocument = { keys: given(rest), secrets: [{ secret, until: null }] }
  const problems = whatIsWrong(parts, { name, document, ownAccounts: maker.accounts })
  if (problems.length > 0) return { problems }
  if (live.file.subscriptions.some((each) => each.name === name)) throw refused('name of file', name, settings)
  const own = { name, owner: maker.owner, ...stored(document, { key: settings.key, name }) }
  const refusal = await store.changeRuntime({ kind: 'make', most: settings.most, at: clock.now(), ...own })
  if (refusal !== null) throw refused(refusal, name, settings)
  await follower.look()
  return { name, secret }
}

/** Null is the same as nothing. */
function given(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

interface Asked {
  readonly name: string
  readonly document: RuntimeDocument
  readonly ownAccounts: readonly string[] | null
}

function whatIsWrong(parts: RuntimeActionParts, { document, name, ownAccounts }: Asked): readonly RuntimeProblem[] {
  const settings = requireSettings(parts)
  const { keys } = document
  const missing = ['url', 'events'].filter((key) => keys[key] === undefined)
  if (missing.length > 0) return missing.map((key) => ({ at: key, says: `\`${key}\` is missing` }))
  const secrets = signing(document.secrets, parts.clock.now()).map(({ secret }) => secret)
  return readRuntime({ name, keys, secrets, ownAccounts }, parts.live.file, settings.allow).problems
}

async function alter(which: Named, body: JsonObject): Promise<Subscribing> {
  const { name, parts } = which
  const named = Object.entries(body)
  let problems: readonly RuntimeProblem[] = []
  await changed(which, (row, document) => {
    problems = Object.hasOwn(body, 'name') ? [RENAMED] : strangeKeys(body)
    if (problems.length > 0) return null
    const others = Object.entries(document.keys).filter(([key]) => !Object.hasOwn(body, key))
    const keys: JsonObject = given(Object.fromEntries([...others, ...named]))
    const next = { ...document, keys }
    // An owner that is gone has no accounts, and what it made stays disabled whoever changes it.
    const accounts = accountsOfOwner(parts.live.file, row.owner)
    problems = whatIsWrong(parts, { name, document: next, ownAccounts: accounts === undefined ? [] : accounts })
    if (problems.length > 0) return null
    const isReaddressed = hrefOf(keys) !== hrefOf(document.keys)
    return { document: next, isReaddressed, isRenewed: accounts !== undefined }
  })
  return problems.length > 0 ? { problems } : { name, secret: null }
}

const RENAMED = { at: 'name', says: '`name` cannot be changed: end it, and make another one' }

function hrefOf({ url }: JsonObject): string {
  return typeof url === 'string' ? (URL.parse(url)?.href ?? '') : ''
}

async function rotate(which: Named): Promise<string> {
  const { name, parts } = which
  const secret = newSecret()
  await changed(which, (_, document) => {
    const next = rotated(document, secret, parts.clock.now())
    if (next === null)
      throw wrongState(`The secret of ${name} was changed ten times within a day: wait until an old one ends.`)
    return { document: next, isReaddressed: false, isRenewed: false }
  })
  return secret
}

interface Altered {
  readonly document: RuntimeDocument
  readonly isReaddressed: boolean
  readonly isRenewed: boolean
}

/** Changes what is stored; again where somebody else changed it meanwhile. */
async function changed(
  which: Named,
  alteration: (row: RuntimeSubscription, document: RuntimeDocument) => Altered | null,
): Promise<void> {
  const { name, parts } = which
  const { clock, follower, store } = parts
  const settings = requireSettings(parts)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await follower.look()
    const row = requireMade(which)
    const document = opened(row, settings.key)
    if (document === null) throw new ShipbellError('internal', `What is stored of ${name} does not open.`)
    const altered = alteration(row, document)
    if (altered === null) return
    const { isReaddressed, isRenewed } = altered
    const own = { name, ...stored(altered.document, { key: settings.key, name }) }
    const change = { kind: 'alter', from: row.revision, isReaddressed, isRenewed, at: clock.now(), ...own } as const
    const refusal = await store.changeRuntime(change)
    if (refusal === 'stale') continue
    if (refusal !== null) throw refused(refusal, name, settings)
    await follower.look()
    return
  }
  throw wrongState(`Others change ${name} at the same time: try again.`)
}

async function end(which: Named): Promise<void> {
  const { name, parts } = which
  const { clock, follower, signal, store } = parts
  await follower.look()
  requireMade(which)
  const change: RuntimeChange = { kind: 'end', name, at: clock.now() }
  if ((await store.changeRuntime(change)) !== null) throw unknown(name)
  await follower.look()
  await discardHeld({ store, clock, signal, subscription: name })
}

/** What a maker may not see does not exist. */
function requireMade({ maker, name, parts: { follower, live } }: Named): RuntimeSubscription {
  const row = follower.living(name)
  if (row !== undefined && seesOwner(maker, row.owner)) return row
  if (maker.owner === null && live.file.subscriptions.some((each) => each.name === name))
    throw wrongState(`${name} stands in a file of the configuration: change it there.`)
  throw unknown(name)
}

function unknown(name: string): ShipbellError {
  return new ShipbellError('not_found', `There is no subscription ${JSON.stringify(name)}.`)
}

function refused(refusal: RuntimeRefusal, name: string, { most }: RuntimeSettings): ShipbellError {
  switch (refusal) {
    case 'unknown':
      return unknown(name)
    case 'stale':
      return wrongState(`Others change ${name} at the same time: try again.`)
    case 'name taken':
      return wrongState(`There is a subscription ${name} already.`)
    case 'name of file':
      return wrongState(`A file of the configuration has a subscription ${name}: choose another name.`)
    case 'name of another':
      return wrongState(`The name ${name} was another's, and the ledger has deliveries of it yet: choose another name.`)
    case 'rows wait':
      return wrongState(`Deliveries of an earlier subscription ${name} wait yet: discard them, or choose another name.`)
    case 'too many':
      return wrongState(`There are ${most} subscriptions made at run time, and no more are allowed: end one first.`)
    default:
      return refusal satisfies never
  }
}

function wrongState(message: string): ShipbellError {
  return new ShipbellError('wrong_state', message)
}
