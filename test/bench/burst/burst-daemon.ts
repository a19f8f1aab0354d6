import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningShipbell, Workplace } from '../../support/shipbell.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import { cpuMsAtRest, cpuMsOf } from '../process-cpu.ts'
import { PROFILE_FILE, type Profiled } from './profile-probe.ts'
import { stagesOf } from './stages.ts'

const PROBE = new URL('profile-probe.ts', import.meta.url).href
const LOOK_MS = 20
/** What shipments of a round ring. Others, of the calendar, come at midnight. */
const RINGS = ['shipment.eta_changed', 'shipment.updated', 'shipment.cargo_updated']
/** What taking samples alone uses in 50 ms, with room. */
const SAMPLING_MS = 20

export interface BurstConfig {
  readonly url: string
  /** Whether somebody hears of what changes. */
  readonly isHeard: boolean
  /**
   * Seconds between two passes. One is due whenever a round begins, and takes the budget but for a tenth: what is spare would show
   * changes ahead of the pass, evenly over time, and the pass would read those pages again.
   */
  readonly everyS: number
  readonly shipments: number
  readonly isProfiled: boolean
  /** What the configuration says beside. */
  readonly extra?: string | undefined
  /** What is started; left out: the program of this checkout. */
  readonly entry?: string | undefined
}

/** Milliseconds of a span, of the whole process and by the stages of its main thread. */
export interface Spent {
  readonly cpuMs: number
  readonly threadMs: number
  readonly stages: ReadonlyMap<string, number>
}

/** The real program in a process of its own, and what it uses. */
export class BurstDaemon implements AsyncDisposable {
  readonly #work = new Workplace()
  readonly #daemon: RunningShipbell
  readonly #isProfiled: boolean

  constructor(config: BurstConfig) {
    this.#isProfiled = config.isProfiled
    if (config.entry !== undefined) this.#work.entry = config.entry
    this.#work.write('shipbell.yaml', yamlOf(config))
    if (config.isProfiled) this.#work.environment = { NODE_OPTIONS: `--import=${PROBE}` }
    this.#daemon = this.#work.start('run')
  }

  get cpuMs(): number {
    return cpuMsOf(this.#daemon.pid)
  }

  get said(): string {
    return this.#daemon.stdout + this.#daemon.stderr
  }

  async atRest(): Promise<number> {
    return cpuMsAtRest(this.#daemon.pid, this.#isProfiled ? SAMPLING_MS : 0)
  }

  /** What the work makes the program use, until it rests again. */
  async spends(work: () => Promise<void>): Promise<Spent> {
    const before = await this.atRest()
    if (this.#isProfiled) this.#daemon.kill('SIGUSR2')
    await work()
    const cpuMs = (await this.atRest()) - before
    if (!this.#isProfiled) return { cpuMs, threadMs: cpuMs, stages: new Map() }
    this.#daemon.kill('SIGUSR2')
    const { profile, threadMs } = await this.#profiled()
    return { cpuMs, threadMs, stages: stagesOf(profile) }
  }

  async #profiled(): Promise<Profiled> {
    const file = path.join(this.#work.folder, PROFILE_FILE)
    for (;;) {
      await delay(LOOK_MS)
      if (!existsSync(file)) continue
      const profiled = parsed(readFileSync(file, 'utf8'))
      if (profiled === null) continue
      rmSync(file)
      return profiled
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#daemon.kill('SIGTERM')
    const { code } = await this.#daemon.ended
    const { said } = this
    this.#work[Symbol.dispose]()
    if (code !== 0) throw new Error(said)
  }
}

/** null: not all of it is written yet. */
function parsed(text: string): Profiled | null {
  try {
    const profiled: Profiled = JSON.parse(text)
    return profiled
  } catch {
    return null
  }
}

function yamlOf({ everyS, extra = '', isHeard, shipments, url }: BurstConfig): string {
  const requests = Math.ceil((shipments / 100) * 1.1) + 2
  const hook = `{ url: "${url}/hook", secret: ${SECRET}, events: [${RINGS.join()}], concurrency: 64 }`
  return `accounts:
  acme:
    base_url: ${url}
    api_key: bench
    budget: { requests: ${requests}, per: ${everyS}s, concurrency: 1 }
    watch: { shipments: { every: ${everyS}s } }
subscriptions: ${isHeard ? `{ erp: ${hook} }` : '{}'}
delivery: { allow_networks: [127.0.0.0/8] }
storage: { path: shipbell.db }
http: { listen: "127.0.0.1:0" }
log: { level: info }
${extra}`
}
