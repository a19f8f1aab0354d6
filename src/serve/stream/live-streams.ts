import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { LogTrail, type LogStep } from '../../model/log-trail.ts'
import type { PlacedEvent } from '../../store/ports/log-port.ts'
import { WakeSignal } from '../../wake-signal.ts'
import type { AdminContext } from '../admin-context.ts'
import type { ChangeFeed, FeedReader } from './change-feed.ts'
import type { LiveStream } from './live-stream.ts'

const MOST_STREAMS = 256
/** Commands in other processes write events without waking this one. */
const LOOK_EVERY_MS = 1_000
/** News that comes in a burst goes out together. */
const GATHER_MS = 100
const BEAT_EVERY_MS = 15_000
const PAGE = 100
const SHORTEST_PAUSE_MS = 1
/** A reader that takes longer to take what waits is too slow. */
const PATIENCE_MS = 30_000

export interface LiveStreamsDeps {
  readonly store: Pick<AdminContext['store'], 'logPage' | 'logEnds' | 'deliveries'>
  readonly clock: Clock
  readonly log: Logger
  readonly feed: ChangeFeed
  /** Aborts when the service stops: every stream ends. */
  readonly signal: AbortSignal
}

/** All streams, fed by one loop that reads each event and row once; it runs while there are any. */
export class LiveStreams {
  readonly #deps: LiveStreamsDeps
  /** The streams that are open, with what says whether they may go on. */
  readonly #streams = new Map<LiveStream, () => boolean>()
  readonly #wake = new WakeSignal()
  /** Streams that have everything up to the place of `#trail`. */
  readonly #current = new Set<LiveStream>()
  #trail: LogTrail<PlacedEvent>
  /** Resolves when whoever catches up may read the next page. */
  #reading: Promise<void> = Promise.resolve()
  /** Settled once the place of `#trail` is known; null: nobody listens. */
  #started: Promise<void> | null = null

  constructor(deps: LiveStreamsDeps) {
    this.#deps = deps
    this.#trail = new LogTrail(deps.store, 0)
    deps.signal.addEventListener('abort', () => {
      for (const stream of this.#streams.keys()) stream.end()
    })
  }

  /** The place of the last event that is stored. */
  async lastPlace(): Promise<number> {
    return (await this.#deps.store.logEnds()).lastPlace
  }

  get isFull(): boolean {
    return this.#streams.size >= MOST_STREAMS
  }

  /** Sends what is stored after `stream.place`, then what comes, until the reader goes or `mayGoOn` says no. */
  add(stream: LiveStream, mayGoOn: () => boolean): void {
    this.#streams.set(stream, mayGoOn)
    stream.closed.addEventListener('abort', () => this.#remove(stream))
    stream.open(this.#deps.clock.monotonic())
    if (this.#started === null) {
      this.#started = this.#start()
      void this.#run(this.#started)
    }
    void this.#catchUp(stream)
  }

  #remove(stream: LiveStream): void {
    this.#streams.delete(stream)
    this.#current.delete(stream)
    this.#wake.notify()
  }

  async #start(): Promise<void> {
    const { store } = this.#deps
    this.#trail = new LogTrail(store, (await store.logEnds()).lastPlace)
  }

  /** Reads what the others have had already, then joins them. */
  async #catchUp(stream: LiveStream): Promise<void> {
    const { clock, log } = this.#deps
    try {
      await this.#started
      while (!stream.closed.aborted) {
        if (stream.place >= this.#trail.place) {
          this.#current.add(stream)
          return
        }
        const events = await this.#older(stream.place)
        if (events.length === 0) stream.place = this.#trail.place
        stream.events(events, clock.monotonic())
        await this.#drained(stream)
      }
    } catch (error) {
      log.error({ error: String(error), next: 'the reader resumes' }, 'admin.stream_failed')
      stream.end()
    }
  }

  /**
   * One page at a time, whoever catches up, and then as long a pause: the store answers at once, so that nothing else would be
   * done until all of the log was read.
   */
  async #older(place: number): Promise<readonly PlacedEvent[]> {
    const { clock, signal, store } = this.#deps
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const before = this.#reading
    this.#reading = ended
    await before
    const begun = clock.monotonic()
    try {
      return (await store.logPage({ since: 0, after: place, limit: PAGE })).events
    } finally {
      void clock.sleep(Math.max(clock.monotonic() - begun, SHORTEST_PAUSE_MS), signal).then(end)
    }
  }

  async #drained(stream: LiveStream): Promise<void> {
    const patience = this.#deps.clock.after(PATIENCE_MS, () => stream.cut())
    await stream.drained()
    patience[Symbol.dispose]()
  }

  async #run(started: Promise<void>): Promise<void> {
    const { clock, feed, log, signal } = this.#deps
    using news = feed.read(() => this.#wake.notify())
    await started.catch(() => undefined)
    while (this.#streams.size > 0 && !signal.aborted) {
      try {
        await this.#round(news)
      } catch (error) {
        log.error({ error: String(error), next: 'retry', retry_in_ms: LOOK_EVERY_MS }, 'admin.stream_failed')
      }
      await clock.sleep(GATHER_MS, signal)
      if (this.#streams.size > 0) await this.#wake.wait(clock, LOOK_EVERY_MS - GATHER_MS, signal)
    }
    this.#started = null
  }

  async #round(news: FeedReader): Promise<void> {
    for (const [stream, mayGoOn] of this.#streams) if (!mayGoOn()) stream.end()
    const { clock, signal, store } = this.#deps
    const ids = news.takeRows()
    while (this.#send(await this.#trail.next(PAGE))) await clock.sleep(SHORTEST_PAUSE_MS, signal)
    const rows = ids.length === 0 ? [] : await store.deliveries(ids)
    const now = clock.monotonic()
    for (const stream of this.#streams.keys()) {
      stream.rows(rows.toReversed(), now)
      if (now - stream.sentAt >= BEAT_EVERY_MS) stream.beat(now)
    }
  }

  /** Returns whether more may follow. */
  #send({ events, wentBack }: LogStep<PlacedEvent>): boolean {
    if (wentBack) {
      for (const stream of this.#streams.keys()) stream.goBack(this.#trail.place)
      return true
    }
    if (events.length === 0) return false
    for (const stream of this.#current) {
      if (stream.events(events, this.#deps.clock.monotonic())) continue
      this.#current.delete(stream)
      void this.#catchUp(stream)
    }
    return events.length === PAGE
  }
}
