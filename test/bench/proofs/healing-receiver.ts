import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { completeness, verify, type Completeness, type FeedItem, type FeedPage } from '../../../src/events/index.js'
import { field, textField, type Json } from '../../../src/model/json.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import type { LosingProxy } from './losing-proxy.ts'

const MOST_ITEMS = 200

export interface HealingPlan {
  readonly subscription: string
  /** A token that sees the subscription alone. */
  readonly token: string
  /** The addresses at which a daemon may answer. */
  readonly urls: () => readonly string[]
}

/** A watermark that came, and what the receiver knew when it had. */
export interface Marked {
  readonly position: number
  readonly completeThrough: number
  /** The oldest of its `read_at`, in milliseconds. */
  readonly readAt: number
}

interface Instant {
  readonly at: number
  readonly marks: number
}

/** A receiver of `@shipbell/events` alone: what its watermarks show missing, it fetches. What it says is judged by what the proxy did. */
export class HealingReceiver {
  proxy: LosingProxy | null = null
  readonly problems: string[] = []
  readonly marks: Marked[] = []
  /** Positions that it has, by a delivery or the feed. */
  readonly has = new Set<number>()
  /** Positions that were missing once, and when that was shown and mended, on the clock and by how many watermarks had come. */
  readonly losses = new Map<number, { readonly shown: Instant; healed: Instant | null }>()
  restarts = 0
  readonly #plan: HealingPlan
  #counted: Completeness = completeness({ after: 0 })
  #healing: Promise<void> = Promise.resolve()

  constructor(plan: HealingPlan) {
    this.#plan = plan
  }

  readonly take = async (headers: IncomingHttpHeaders, body: Buffer): Promise<number> => {
    try {
      const event = await verify(headers, body, SECRET)
      this.#counted.seen(event)
      if (event.type === 'shipbell.watermark') this.#mark(JSON.parse(body.toString()))
      else this.has.add(Number(event.delivery?.position))
      return 200
    } catch (error) {
      this.problems.push(String(error))
      return 500
    }
  }

  /** As after a crash of its own: all that it knows is what it kept. */
  restart(): void {
    this.#counted = completeness({ state: JSON.parse(JSON.stringify(this.#counted)) })
    this.restarts += 1
  }

  get #now(): Instant {
    return { at: performance.now(), marks: this.marks.length }
  }

  get isWhole(): boolean {
    const last = this.marks.at(-1)
    return last !== undefined && last.completeThrough === last.position && this.#counted.missing().length === 0
  }

  /** Says what is wrong with what it shows missing, and begins to heal it. */
  #mark(watermark: Json): void {
    const data = field(watermark, 'data')
    const resources = field(data, 'resources')
    const reads = Array.isArray(resources) ? resources.map((each) => Date.parse(textField(each, 'read_at') ?? '')) : []
    const completeThrough = Number(field(data, 'complete_through'))
    this.marks.push({ position: Number(field(data, 'position')), completeThrough, readAt: Math.min(...reads) })
    if (this.#counted.restarted()) this.problems.push('positions began anew')
    const shown = this.#shown()
    for (const position of shown) {
      if (this.has.has(position)) this.problems.push(`a false alarm: ${position} came`)
      else if (this.proxy?.rows.get(position) === undefined) this.problems.push(`${position} was never sent`)
      else if (!this.losses.has(position)) this.losses.set(position, { shown: this.#now, healed: null })
    }
    const overlooked = this.proxy?.lost.filter((each) => each <= completeThrough && !this.has.has(each)) ?? []
    for (const each of overlooked) if (!shown.has(each)) this.problems.push(`the loss of ${each} is not shown`)
    this.#healing = this.#healing.then(async () => await this.#heal())
  }

  #shown(): ReadonlySet<number> {
    const ranges = this.#counted.missing()
    return new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)))
  }

  /** What fails is tried again with the next watermark. */
  async #heal(): Promise<void> {
    try {
      for (const [from, to] of this.#counted.missing()) await this.#fetch(from - 1, to)
    } catch (error) {
      if (!isAway(error)) this.problems.push(`the feed: ${String(error)}`)
    }
  }

  async #fetch(after: number, to: number): Promise<void> {
    for (let from: number | null = after; from !== null && from < to;) {
      const page: FeedPage = await this.page(from, Math.min(to - from, MOST_ITEMS))
      for (const item of page.items) this.#takeItem(item)
      this.#counted.seen(page)
      from = page.next
    }
  }

  #takeItem({ payload, position, state }: FeedItem): void {
    const lost = this.proxy?.rows.get(position)?.swallowed.at(-1)
    if (lost !== undefined && !isDeepStrictEqual(payload, lost))
      this.problems.push(`the feed has another payload at ${position} than was sent`)
    if (state !== 'delivered') this.problems.push(`${position} is ${state} in the feed, and was answered 200`)
    const loss = this.losses.get(position)
    if (loss !== undefined) loss.healed ??= this.#now
    this.has.add(position)
  }

  /** A page of the feed, of whichever daemon answers. */
  async page(after: number, limit = MOST_ITEMS): Promise<FeedPage> {
    const { subscription, token, urls } = this.#plan
    let last: unknown = new TypeError('there is no daemon')
    for (const url of urls()) {
      const asked = `${url}/api/v1/subscriptions/${subscription}/feed?after=${after}&limit=${limit}`
      try {
        const response = await fetch(asked, { headers: { authorization: `Bearer ${token}` } })
        if (response.ok) {
          const page: FeedPage = JSON.parse(await response.text())
          return page
        }
        throw new Error(`${asked} answered ${response.status}: ${await response.text()}`)
      } catch (error) {
        last = error
        if (!isAway(error)) throw error
      }
    }
    throw last
  }
}

/** `fetch` says so of a connection that is refused or cut. */
function isAway(error: unknown): boolean {
  return error instanceof TypeError
}
