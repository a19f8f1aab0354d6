import { Connection, ConnectionLost } from './connection.ts'
import { databaseFailure, isConnectionLost, unreachable } from './database-failure.ts'
import { judgeServer } from './judge-server.ts'
import { newestVersion, refuseNewer } from './migrate.ts'
import { refuseRelocated, type Relocation } from '../copy/relocation-row.ts'

const LOOK = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS closed,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
  (SELECT coalesce(max(version) FILTER (WHERE breaking), 0) FROM schema_versions) AS "breakingVersion",
  (SELECT row_to_json(relocation) FROM relocation) AS relocation`

interface LookRow {
  readonly closed: boolean
  readonly now: number
  readonly breakingVersion: number
  readonly relocation: Relocation | null
}

/** Who asks whether a database is there wants to know soon. */
const TIMEOUTS = { connectTimeoutMs: 1_000, answerTimeoutMs: 1_500 } as const

export interface ServerWatchOptions {
  readonly url: string
  readonly place: string
  /** Whether a store that was moved will do: its history can still be read. */
  readonly takesMoved: boolean
  /** Several looks after each other found nobody: what is under way over other connections waits in vain. */
  readonly onSilence: (why: string) => void
}

/** A moment of silence may be this process's own. */
const SILENT_AFTER = 2

/** Looks whether a database is there, over a connection of its own: however busy the others are, it gets its answer. */
export class ServerWatch implements AsyncDisposable {
  readonly #options: ServerWatchOptions
  #connection: Connection | null = null
  #looking: Promise<number> | null = null
  #silent = 0

  constructor(options: ServerWatchOptions) {
    this.#options = options
  }

  /**
   * What the clock of the database shows. Throws `store_unusable` where it cannot be written, within 3 s, and `store_newer` where its
   * schema was changed so that this program cannot go on beside it, `store_moved` where the store is not the one in use any more.
   */
  async look(): Promise<number> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null))
    return await this.#looking
  }

  async #look(): Promise<number> {
    const { onSilence, place } = this.#options
    try {
      const now = await this.#ask()
      this.#silent = 0
      return now
    } catch (error) {
      if (error instanceof ConnectionLost && error.isTimeout) this.#silent += 1
      if (this.#silent >= SILENT_AFTER) onSilence('the database does not answer')
      throw isConnectionLost(error) ? unreachable(place, error) : databaseFailure(error, place)
    }
  }

  /** A connection that was ended while it stood idle says nothing: another one is asked. */
  async #ask(): Promise<number> {
    const kept = this.#connection?.isUsable === true ? this.#connection : null
    try {
      return await this.#askOver(kept)
    } catch (error) {
      const isLate = error instanceof ConnectionLost && error.isTimeout
      if (kept === null || isLate || !isConnectionLost(error)) throw error
    }
    return await this.#askOver(null)
  }

  async #askOver(kept: Connection | null): Promise<number> {
    const { place, takesMoved, url } = this.#options
    try {
      this.#connection = kept ?? (await Connection.open({ url, ...TIMEOUTS }))
      await judgeServer(place)(this.#connection)
      const { rows } = await this.#connection.query<LookRow>(LOOK)
      if (rows[0]?.closed !== false) throw new ConnectionLost('it may only be read', {})
      refuseNewer(rows[0].breakingVersion, newestVersion(), place)
      if (!takesMoved) refuseRelocated(rows[0].relocation ?? undefined, { kind: 'database', place })
      return rows[0].now
    } catch (error) {
      this.#connection?.cut(new ConnectionLost('it is of no use', { cause: error }))
      this.#connection = null
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.close()
  }
}
