import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import {
  CONFIGURATION,
  type ConfigurationMemory,
  type ConfigurationState,
  type ConfigurationTrouble,
} from '../model/configuration-state.ts'
import { newRecordState } from '../model/record-state.ts'
import type { Committer } from '../poll/committer.ts'
import { updateRecord, type Revision } from '../poll/ingest/update-record.ts'
import { rejectionEvent } from '../route/configuration-event.ts'
import type { WorkerStore } from '../store/ports/worker-port.ts'

export interface ConfigReportDeps {
  readonly committer: Committer
  readonly clock: Pick<Clock, 'now'>
  /** Names this process among those that share the store; another name once it has joined anew. */
  readonly owner: () => string
  /** Whether the store was begun in the place of one that is gone. */
  readonly isBegunAnew: boolean
  /** The workers that share the store; undefined: nobody shares it. */
  readonly workers: Pick<WorkerStore, 'survey'> | undefined
}

/** Contents of files that are remembered as told. */
const MOST_RUNG = 100
const NONE: ConfigurationMemory = { rung: [], troubles: {} }

/** Keeps with the store what of this process's configuration needs a person, and rings what was rejected, once per content. */
export class ConfigReport {
  readonly #deps: ConfigReportDeps
  #state: ConfigurationState = { file: '', rejected: null, restart: [] }
  #since: number
  readonly #begunAt: number
  /** Under which name what was written; null: nothing was yet. */
  #written: { readonly state: ConfigurationState; readonly owner: string } | null = null

  constructor(deps: ConfigReportDeps) {
    this.#deps = deps
    this.#since = deps.clock.now()
    this.#begunAt = this.#since
  }

  get isRejected(): boolean {
    return this.#state.rejected !== null
  }

  /** Call it again and again: what could not be written, or went with an expired worker, is written then. Throws `store_unusable`. */
  async tell(state: ConfigurationState): Promise<void> {
    if (!isDeepStrictEqual(state, this.#state)) this.#since = this.#deps.clock.now()
    this.#state = state
    const owner = this.#deps.owner()
    if (isDeepStrictEqual(this.#written, { state, owner })) return
    await this.#write(owner)
    this.#written = { state, owner }
  }

  async #write(owner: string): Promise<void> {
    const { committer, workers } = this.#deps
    const alive = new Set((await workers?.survey())?.workers.map(({ id }) => id))
    const key = { account: null, resource: 'configuration', id: CONFIGURATION } as const
    await updateRecord(committer, key, async (before): Promise<Revision | null> => {
      const known = before?.memory.configuration ?? NONE
      const { rejected } = this.#state
      const news = rejected === null || known.rung.includes(rejected.digest) ? null : rejected
      const others = Object.entries(known.troubles).filter(([id]) => id !== owner && alive.has(id))
      const configuration = {
        ...known,
        ...(this.#deps.isBegunAnew && { begunAnewAt: known.begunAnewAt ?? this.#begunAt }),
        rung: news === null ? known.rung : [...known.rung, news.digest].slice(-MOST_RUNG),
        troubles: Object.fromEntries([...others, ...this.#trouble(owner)]),
      }
      if (isDeepStrictEqual(configuration, known)) return null
      const at = this.#deps.clock.now()
      const memory = { ...before?.memory, configuration }
      if (news !== null) {
        const { event, state } = rejectionEvent({
          state: before,
          rejected: { ...news, file: this.#state.file },
          at,
          memory,
        })
        return { state, events: [event] }
      }
      if (before !== null)
        return { state: { ...before, memory }, events: [], write: { contentHash: null, read: 'none' } }
      const first = newRecordState(key, { read: { sentAt: at, answeredAt: at }, atBaseline: false })
      return { state: { ...first, memory }, events: [] }
    })
  }

  #trouble(owner: string): readonly (readonly [string, ConfigurationTrouble])[] {
    const { file, rejected, restart } = this.#state
    if (rejected === null && restart.length === 0) return []
    const problems = rejected?.problems.slice(0, MOST_PROBLEMS) ?? []
    return [[owner, { host: hostname(), pid: process.pid, file, since: this.#since, problems, restart: [...restart] }]]
  }
}

/** How many problems of a file are kept: `check` says all. */
const MOST_PROBLEMS = 100
