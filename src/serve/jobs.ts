import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { Asker } from './admin-context.ts'
import { asStarted } from '../invocation.ts'
import type { Logger } from '../log.ts'

/** Work on many rows that goes on while nobody waits for it. */
export interface Job extends JobPlan {
  readonly id: string
  readonly state: JobState
  readonly done: number
  readonly startedAt: number
  /** When the job ended; null while it runs. */
  readonly endedAt: number | null
  /** Why the job failed, in one sentence; null: it did not. */
  readonly problem: string | null
}

type JobState = 'running' | 'finished' | 'cancelled' | 'failed'

export interface JobPlan {
  /** What the job does, in one sentence. */
  readonly title: string
  /** How much there was to do when it was asked for. */
  readonly total: number
  /** The page that shows what comes of it. */
  readonly onward: string
  /** Who asked for the job (`Asker.name`): of those who see a part, nobody else is shown it. */
  readonly by: string
  /** What is to be known of the job, each in a sentence; left out: nothing. */
  readonly notes?: readonly string[]
}

/** Resolves to how much it has done; cut short, to what until then. */
export type JobWork = (options: {
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}) => Promise<number>

export interface JobParts {
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the service stops: what runs is cut short. */
  readonly signal: AbortSignal
}

/** How many jobs are remembered, the newest. */
const MOST = 50

/** Kept in memory alone: a job that a restart cuts short is asked for again. */
export class Jobs {
  readonly #parts: JobParts
  readonly #jobs = new Map<string, { job: Job; readonly cancel: AbortController }>()

  constructor(parts: JobParts) {
    this.#parts = parts
  }

  /** Returns its id; it runs from now on. */
  start(plan: JobPlan, work: JobWork): string {
    const { clock, signal } = this.#parts
    const id = randomUUID()
    const cancel = new AbortController()
    const started = {
      ...plan,
      id,
      state: 'running',
      done: 0,
      startedAt: clock.now(),
      endedAt: null,
      problem: null,
    } as const
    this.#jobs.set(id, { job: started, cancel })
    this.#forgetOldest()
    void this.#run(id, AbortSignal.any([signal, cancel.signal]), work)
    return id
  }

  /** The job with an id; null where it is not known, or no more, or not shown to whoever asks. */
  get(id: string, { name, scope }: Pick<Asker, 'name' | 'scope'>): Job | null {
    const job = this.#jobs.get(id)?.job ?? null
    return scope.kind === 'all' || job?.by === name ? job : null
  }

  /** What is under way ends with what it has done by then. */
  cancel(id: string): void {
    this.#jobs.get(id)?.cancel.abort()
  }

  async #run(id: string, signal: AbortSignal, work: JobWork): Promise<void> {
    try {
      const done = await work({ signal, onProgress: (so) => this.#change(id, { done: so }) })
      this.#end(id, { done, state: signal.aborted ? 'cancelled' : 'finished' })
    } catch (error) {
      if (error instanceof ShipbellError) return this.#end(id, { state: 'failed', problem: asStarted(error.message) })
      this.#parts.log.error({ job: id, error: String(error) }, 'admin.failed')
      this.#end(id, { state: 'failed', problem: 'Something failed that should not: the log says what.' })
    }
  }

  #end(id: string, change: Partial<Job>): void {
    this.#change(id, { ...change, endedAt: this.#parts.clock.now() })
  }

  #change(id: string, change: Partial<Job>): void {
    const known = this.#jobs.get(id)
    if (known !== undefined) known.job = { ...known.job, ...change }
  }

  #forgetOldest(): void {
    for (const [id, { job }] of this.#jobs) {
      if (this.#jobs.size <= MOST) return
      if (job.state !== 'running') this.#jobs.delete(id)
    }
  }
}
