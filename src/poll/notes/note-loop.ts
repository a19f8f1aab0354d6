import type { Note } from '../../model/note.ts'
import type { RecordResource } from '../../model/resource.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { IDLE_SLEEP_MS, LONGEST_SLEEP_MS, type AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { noteNumber, type NotedMoves } from './notebook.ts'

/*
 * How something is derived of several records together, such as the fate of an order of its shipments. The commit of a read only
 * notes which records moved, by the `NotedMoves` of a topic: one row for each record, in its own transaction, and nothing where
 * nothing moved. A `NoteLoop` for each account and topic takes the notes up within seconds: what a `DerivedTopic` makes of them is
 * committed together with their end, routed as any news, so that a process that dies leaves either the notes or what they meant.
 * A note of a record that moves meanwhile stays. A topic begins once the baselines of its lists are complete: then every record of
 * its `subjects` is noted, none as fresh, and what is found of those is learnt in silence. To find the records of a shipment a topic keeps
 * `links` (`BatchChange`), which `linkedTo` of the store answers: they are written with what is derived, not by the commit of a read.
 * A new topic: its name in `model/note.ts`, and its line in `topicsOf` of `account-topics.ts`.
 */

/** What is derived of the records of an account together. */
export interface DerivedTopic extends NotedMoves {
  /** The settings that it derives by, as a text: where they are others than it began with, it begins anew. */
  readonly settings: string
  /** The resources whose records are noted when the topic begins: all of it is derived with them. */
  readonly subjects: readonly RecordResource[]
  /** What comes of records that moved, by what the store knows now, within a commit; the end of their notes is added to it. */
  derive(notes: readonly Note[]): Promise<News>
}

/** How long after the first move the notes are taken up: what one read of several pages moves is derived once. */
const TAKE_UP_AFTER_MS = 2_000
/** How many notes are taken up at once. */
export const MOST_NOTES = 100

/** Takes up the notes of one topic of one account. */
export class NoteLoop {
  readonly wake = new WakeSignal()
  readonly topic: DerivedTopic
  readonly #context: AccountContext
  /** When the notes are taken up next, by the steady clock; null: nothing is noted. Those that a process before left are at once. */
  #dueAt: number | null = 0
  /** Whether the topic has begun, as far as is known. */
  #hasBegun: boolean | null = null

  constructor(context: AccountContext, topic: DerivedTopic) {
    this.#context = context
    this.topic = topic
  }

  /** Whether commits have to note what moves. */
  get isNoting(): boolean {
    return this.#hasBegun !== false
  }

  noted(): void {
    this.#dueAt ??= this.#context.clock.monotonic() + TAKE_UP_AFTER_MS
    this.wake.notify()
  }

  /** The baseline of a list may be complete. */
  passEnded(): void {
    if (this.#hasBegun !== false) return
    this.#dueAt = this.#context.clock.monotonic()
    this.wake.notify()
  }

  /** Takes up what is due. Returns how many events rang. */
  async round(signal: AbortSignal): Promise<number> {
    return this.#dueAt === null || this.#dueAt > this.#context.clock.monotonic() ? 0 : this.settle(signal)
  }

  /** Takes up every note, however young. Returns how many events rang. */
  async settle(signal: AbortSignal): Promise<number> {
    const { account, clock, log } = this.#context
    const startedAt = clock.now()
    let rang = 0
    for (let taken: Taken = { events: 0, more: true }; taken.more && !signal.aborted; rang += taken.events)
      taken = await this.#takeUp()
    const line = { account: account.name, topic: this.topic.topic, events: rang, duration_ms: clock.now() - startedAt }
    if (rang > 0) log.info(line, 'notes.rang')
    return rang
  }

  /** How long until there may be something to do. */
  async pauseMs(): Promise<number> {
    const { clock, longestSleepMs = LONGEST_SLEEP_MS } = this.#context
    if (this.#dueAt === null) return IDLE_SLEEP_MS
    return Math.min(longestSleepMs, Math.max(0, this.#dueAt - clock.monotonic()))
  }

  async #takeUp(): Promise<Taken> {
    const { account, clock, committer } = this.#context
    // What is noted from now on is taken up later, or is among what is found now.
    this.#dueAt = null
    let more = false
    try {
      const news = await committer.commit(account.name, async () => {
        const { notes, settings } = await committer.store.noted(account.name, this.topic.topic, MOST_NOTES)
        if (settings !== this.topic.settings) {
          const begins = await this.#beginning(settings !== null)
          more = begins !== null
          return begins
        }
        this.#hasBegun = true
        more = notes.length === MOST_NOTES
        return notes.length === 0 ? null : await this.#derived(notes)
      })
      return { events: news?.events?.length ?? 0, more }
    } catch (error) {
      this.#dueAt = clock.monotonic()
      throw error
    }
  }

  async #derived(notes: readonly Note[]): Promise<News> {
    const { changes = [], ...news } = await this.topic.derive(notes)
    return { ...news, changes: [...changes, { kind: 'taken', topic: this.topic.topic, notes }] }
  }

  /** The begin of the topic; null: its lists have no baseline yet. Nobody else commits meanwhile, so nothing is missed between. */
  async #beginning(began: boolean): Promise<News | null> {
    const { account, clock, committer } = this.#context
    const { resources, settings, subjects, topic } = this.topic
    const lists = await Promise.all(resources.map(async (each) => committer.store.listState(account.name, each)))
    const isComplete = lists.every(({ baselinedAt }) => baselinedAt !== null)
    this.#hasBegun = began || isComplete
    if (!isComplete) return null
    return { changes: [{ kind: 'topic', topic, settings, resources: subjects, number: noteNumber(clock.now()) }] }
  }
}

interface Taken {
  readonly events: number
  readonly more: boolean
}
