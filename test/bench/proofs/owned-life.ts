import { setTimeout as delay } from 'node:timers/promises'
import { field, textField, type Json, type JsonObject } from '../../../src/model/json.ts'
import type { Random } from '../../../src/sandbox/random.ts'
import { type Daemons, until } from './daemons.ts'
import type { Change } from './moving-accounts.ts'
import { OwnedSubscription, WISHES_COUNT, type Owner } from './owned-subscription.ts'
import type { OwnedTargets } from './owned-targets.ts'
import type { OwnerDesk } from './owner-desk.ts'
import type { SecretScan } from './secret-scan.ts'

export interface LifeParts {
  readonly subscriptions: number
  readonly rounds: number
  readonly daemons: Daemons
  readonly desk: OwnerDesk
  readonly targets: OwnedTargets
  readonly owners: readonly Owner[]
  /** A token that sees all. */
  readonly admin: string
  readonly scan: SecretScan
  readonly random: Random
  readonly yamlOf: (owners: readonly Owner[]) => string
}

/** The states of those that are sent what they must be. */
const WELL: ReadonlySet<string> = new Set(['ok', 'failing', 'recovering'])
/** One in so many subscriptions is acted on in a round. */
const ACTED_ON = 8
const ACTS = 'test rewish rewish readdress rotate rotate disable end remake end_under_way refuse'.split(' ')
const WELL_WITHIN_MS = 300_000
/** Feeds that each owner reads. */
const FEEDS = 2
const LOOK_MS = 100

/** What owners do with their subscriptions, and what must come of it. */
export class OwnedLife {
  readonly problems: string[] = []
  readonly done: Record<string, number> = {}
  readonly #parts: LifeParts
  readonly #all: OwnedSubscription[] = []
  /** Those that are ended while their deliveries are under way. */
  readonly #leaving: OwnedSubscription[] = []
  /** Who is to have another one. */
  readonly #owed: Owner[] = []
  #made = 0
  #gone: Owner | null = null

  constructor(parts: LifeParts) {
    this.#parts = parts
  }

  get living(): readonly OwnedSubscription[] {
    return this.#all.filter(({ state }) => state !== 'ended')
  }

  get missing(): number {
    return this.#all.reduce((sum, each) => sum + each.missing, 0)
  }

  get lacking(): string {
    const lacking = this.#all.filter(({ missing }) => missing > 0)
    const some = lacking.slice(0, 5).map(({ missing, name, oracle, received }) => {
      const key = [...oracle.expected].find((each) => !received.has(each))
      return `${name} lacks ${missing}, such as ${key}`
    })
    return `${this.missing} lack: ${some.join('; ')}`
  }

  /** All are made, each by its owner; one more is refused. */
  async begin(): Promise<void> {
    const { desk, owners, subscriptions, targets } = this.#parts
    for (let nth = 0; nth < subscriptions; nth += 1) await this.#make(at(owners, nth), false)
    const extra = new OwnedSubscription('one-too-many', at(owners, 0), 0)
    await desk.act(extra.owner, '', { method: 'POST', json: extra.made(targets.url), status: 409 })
    await this.settle()
  }

  /** What was held comes, those who were gone are back, and some do something. */
  async act(round: number): Promise<void> {
    const { random, rounds } = this.#parts
    for (const each of this.living) if (each.state === 'held') await this.#release(each)
    if (round === Math.floor(rounds / 3)) await this.#leave()
    if (round === Math.floor(rounds / 3) + 2) await this.#comeBack()
    for (const owner of this.#owed.splice(0)) await this.#make(owner, false)
    if (round === rounds - 1) return
    for (const each of this.living)
      if (each.state === 'open' && random.whole(1, ACTED_ON) === 1) await this.#do(random.pick(ACTS), each)
  }

  /** Resolves once each that is to be sent something is in a state in which it is. */
  async settle(): Promise<void> {
    const { daemons, desk, owners } = this.#parts
    const look = async (): Promise<readonly string[]> => {
      const present = owners.filter((owner) => owner !== this.#gone)
      const shown = await Promise.all(present.map(async (owner) => await desk.listed(owner)))
      const states = new Map(shown.flatMap((each) => [...each]))
      const open = this.living.filter(({ state }) => state === 'open')
      return open.flatMap(({ name }) => (WELL.has(states.get(name) ?? '') ? [] : `${name} is ${states.get(name)}`))
    }
    let unwell: readonly string[] = []
    for (const end = performance.now() + WELL_WITHIN_MS; performance.now() < end; await delay(LOOK_MS)) {
      unwell = await look()
      if (unwell.length === 0) return
    }
    throw new Error(`${unwell.join(', ')}: ${daemons.said.slice(-2_000)}`)
  }

  /** What moved is due where it must come; returns how much. */
  take(changes: readonly Change[]): number {
    const before = this.missing
    for (const each of this.#all) for (const change of changes) each.take(change)
    return this.missing - before
  }

  /** Some end while their deliveries are under way. */
  async leaveUnderWay(): Promise<void> {
    for (const each of this.#leaving.splice(0)) {
      await this.#end(each)
      this.#owed.push(each.owner)
    }
  }

  /** All is released, and each owner sees what is its own alone. */
  async end(): Promise<void> {
    const { desk, owners, random } = this.#parts
    for (const each of this.living) if (each.state === 'held') await this.#release(each)
    await this.settle()
    await until(
      () => this.missing === 0,
      () => this.lacking,
    )
    this.problems.push(...this.living.flatMap(({ misplaced }) => misplaced))
    for (const owner of owners) {
      const [living, ever] = [this.living, this.#all].map(
        (all) => new Set(all.filter((each) => each.owner === owner).map(({ name }) => name)),
      )
      const { name: other } = random.pick(this.living.filter((each) => each.owner !== owner))
      const mine = this.living.filter((each) => each.owner === owner)
      for (const { name, places } of mine.slice(0, FEEDS))
        this.problems.push(...(await desk.feedOf(owner, name, places)))
      this.problems.push(...(await desk.sights(owner, { living: living ?? new Set(), ever: ever ?? new Set(), other })))
    }
  }

  async #make(owner: Owner, isTestRefused: boolean): Promise<void> {
    const { owners } = this.#parts
    const nth = this.#made
    this.#made += 1
    // Owners have all wishes, by turns.
    await this.#begin(new OwnedSubscription(`sub-${nth}`, owner, Math.floor(nth / owners.length) + nth), isTestRefused)
    this.#count(isTestRefused ? 'made whose test is refused' : 'made')
  }

  /** A name that ended is its owner's alone; it begins anew. */
  async #remake({ name, owner, series }: OwnedSubscription): Promise<void> {
    const { desk, owners, targets } = this.#parts
    const another = owners.find((each) => each !== owner && each !== this.#gone) ?? owner
    const taken = new OwnedSubscription(name, another, this.#made)
    if (series.size > 0) await desk.act(another, '', { method: 'POST', json: taken.made(targets.url), status: 409 })
    const again = new OwnedSubscription(name, owner, this.#made)
    again.earlier = series
    await this.#begin(again, false)
  }

  async #begin(own: OwnedSubscription, isTestRefused: boolean): Promise<void> {
    const { desk, scan, targets } = this.#parts
    own.isTestRefused = isTestRefused
    if (isTestRefused) own.state = 'held'
    this.#all.push(own)
    targets.subscriptions.set(own.name, own)
    this.#hideAddress(own)
    const json = await desk.act(own.owner, '', { method: 'POST', json: own.made(targets.url), status: 201 })
    this.#hold(own, json)
    const others = JSON.stringify(json).replaceAll(JSON.stringify(own.secrets.at(-1)), '""')
    scan.look(`the answer that made ${own.name}, but for its secret`, others)
  }

  async #do(act: string, each: OwnedSubscription): Promise<void> {
    const { desk, random, scan, targets } = this.#parts
    const { name, owner } = each
    const post = async (what: string): Promise<Json> =>
      await desk.act(owner, `/${name}/${what}`, { method: 'POST', status: 200 })
    const patch = async (json: JsonObject): Promise<unknown> =>
      await desk.act(owner, `/${name}`, { method: 'PATCH', json, status: 200 })
    each.changedAt = Infinity
    switch (act) {
      case 'rewish':
        await patch(each.rewish(random.whole(0, WISHES_COUNT - 1)))
        break
      case 'readdress':
        each.readdress()
        this.#hideAddress(each)
        await patch(each.address(targets.url))
        break
      case 'rotate':
        this.#hold(each, await post('rotate-secret'))
        break
      case 'test':
        scan.look(`what a test of ${name} came to`, JSON.stringify(await post('test')))
        break
      case 'disable':
        await post('disable')
        each.state = 'held'
        break
      case 'remake':
        await this.#end(each)
        await this.#remake(each)
        break
      case 'end_under_way':
        this.#leaving.push(each)
        break
      default:
        await this.#end(each)
        await this.#make(owner, act === 'refuse')
    }
    each.changedAt = performance.now()
    if (act !== 'refuse') this.#count(act)
  }

  async #end(each: OwnedSubscription): Promise<void> {
    await this.#parts.desk.act(each.owner, `/${each.name}`, { method: 'DELETE', status: 204 })
    each.state = 'ended'
    each.endedAt = performance.now()
  }

  async #release(each: OwnedSubscription): Promise<void> {
    const enable = { method: 'POST', status: 200 }
    // What waits comes from now on, before it is answered, too.
    each.state = 'open'
    if (each.isTestRefused) each.isTestRefused = false
    else await this.#parts.desk.act(each.owner, `/${each.name}/enable`, enable)
  }

  /** The token of an owner is gone from the file: its subscriptions get nothing, not even later. */
  async #leave(): Promise<void> {
    const { admin, daemons, desk, owners, yamlOf } = this.#parts
    const gone = at(owners, 2)
    this.#gone = gone
    for (const [nth] of daemons.works.entries()) await daemons.kill(nth)
    daemons.configure(yamlOf(owners.filter((each) => each !== gone)))
    await daemons.startAll()
    for (const each of this.living.filter(({ owner }) => owner === gone)) {
      each.state = 'deaf'
      const isDisabled = async (): Promise<boolean> =>
        textField(field(await desk.shown(admin, each.name), 'disabled'), 'by') === 'owner'
      for (const end = performance.now() + WELL_WITHIN_MS; !(await isDisabled()); await delay(LOOK_MS))
        if (performance.now() > end) throw new Error(`${each.name} of an owner that is gone is not disabled`)
    }
    const { status } = await desk.ask(gone.token, '/api/v1/subscriptions')
    if (status !== 401) this.problems.push(`a token that is gone was answered ${status}`)
    this.#count('owner gone')
  }

  async #comeBack(): Promise<void> {
    const { daemons, owners, yamlOf } = this.#parts
    const back = this.#gone
    await daemons.reload(yamlOf(owners))
    this.#gone = null
    for (const each of this.living.filter(({ owner }) => owner === back)) each.state = 'open'
    await this.settle()
    this.#count('owner back')
  }

  #hideAddress({ header, name, target }: OwnedSubscription): void {
    this.#parts.scan.hide(`the address of ${name}`, target)
    this.#parts.scan.hide(`the header of ${name}`, header)
  }

  #hold(own: OwnedSubscription, json: Json): void {
    const secret = textField(json, 'secret') ?? ''
    own.secrets.push(secret)
    this.#parts.scan.hide(`a secret of ${own.name}`, secret)
  }

  #count(act: string): void {
    this.done[act] = (this.done[act] ?? 0) + 1
  }
}

function at(owners: readonly Owner[], nth: number): Owner {
  const owner = owners[nth % owners.length]
  if (owner === undefined) throw new Error('there are no owners')
  return owner
}
