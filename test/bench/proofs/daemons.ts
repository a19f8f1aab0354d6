import { setTimeout as delay } from 'node:timers/promises'
import { type RunningShipbell, Workplace } from '../../support/shipbell.ts'

/** On a machine with much other work a round takes minutes. */
const PATIENCE_MS = 600_000

/** Real daemons, each in a folder of its own with the same configuration, and their addresses. */
export class Daemons implements AsyncDisposable {
  readonly works: readonly Workplace[]
  readonly #running: (RunningShipbell | null)[]
  readonly #urls: string[]
  /** What those that ended have written. */
  readonly #said: string[] = []
  kills = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(count: number) {
    this.works = Array.from({ length: count }, () => new Workplace())
    this.#running = this.works.map(() => null)
    this.#urls = this.works.map(() => '')
  }

  /** The addresses of those that run. */
  get urls(): readonly string[] {
    return this.#urls.filter((url) => url !== '')
  }

  /** What all of them have written. */
  get said(): string {
    return [...this.#said, ...this.#running.map((each) => (each === null ? '' : each.stdout + each.stderr))].join('\n')
  }

  /** What one of them has written since it was started. */
  saidBy(nth: number): string {
    return this.#running[nth]?.stderr ?? ''
  }

  configure(text: string): void {
    for (const work of this.works) work.write('shipbell.yaml', text)
  }

  /** Resolves once it answers. */
  async start(nth: number): Promise<void> {
    const running = this.#at(nth).start('run')
    this.#running[nth] = running
    const [, url = ''] = await running.prints(/admin interface on (\S+)/)
    this.#urls[nth] = url
  }

  async startAll(): Promise<void> {
    await Promise.all(this.works.map(async (_, nth) => await this.start(nth)))
  }

  async kill(nth: number): Promise<void> {
    this.#urls[nth] = ''
    this.kills += 1
    await this.#end(nth, 'SIGKILL')
  }

  /** Ends all as an operator does; resolves to their exit codes. */
  async stopAll(): Promise<readonly (number | null)[]> {
    this.#urls.fill('')
    return await Promise.all(this.works.map(async (_, nth) => await this.#end(nth, 'SIGTERM')))
  }

  /** Waits for what others do to the daemons: who is being killed or started is not to be told anything. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return await done
  }

  /** Another configuration, which all that run have read once this resolves. */
  async reload(text: string): Promise<void> {
    const running = this.#running.filter((each) => each !== null)
    const before = new Map(running.map((each) => [each, reloadsOf(each)]))
    this.configure(text)
    for (const each of running) each.kill('SIGHUP')
    const isRead = (each: RunningShipbell): true | null => (reloadsOf(each) > (before.get(each) ?? 0) ? true : null)
    await Promise.all(running.map(async (each) => await each.finds(() => isRead(each), 'config.reloaded')))
  }

  #at(nth: number): Workplace {
    const work = this.works[nth]
    if (work === undefined) throw new Error(`there is no daemon ${nth}`)
    return work
  }

  async #end(nth: number, signal: NodeJS.Signals): Promise<number | null> {
    const running = this.#running[nth]
    if (running === null || running === undefined) return null
    running.kill(signal)
    const { code, stderr, stdout } = await running.ended
    this.#said.push(stdout + stderr)
    this.#running[nth] = null
    return code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [nth] of this.works.entries()) await this.#end(nth, 'SIGKILL')
    for (const work of this.works) work[Symbol.dispose]()
  }
}

/** Resolves once something is so; throws what `what` says where it is not within that time. */
export async function until(isSo: () => boolean, what: () => string, withinMs = PATIENCE_MS): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await delay(20)) {
    if (performance.now() > end) throw new Error(`within ${withinMs / 1_000} s: ${what()}`)
  }
}

function reloadsOf({ stderr }: RunningShipbell): number {
  return stderr.split('"msg":"config.reloaded"').length
}
