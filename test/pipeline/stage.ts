import { LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver } from '../support/loopback-receiver.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { baselined, configure } from './workplace.ts'

export interface ListedDelivery {
  readonly id: string
  readonly event_id: string
  readonly type: string
  readonly state: string
  readonly attempts: number
}

/** The program in a workplace of its own, configured between a platform and a receiver. */
export class Stage implements AsyncDisposable {
  readonly work: Workplace
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly #stack: AsyncDisposableStack

  private constructor(parts: Pick<Stage, 'work' | 'platform' | 'receiver'>, stack: AsyncDisposableStack) {
    this.work = parts.work
    this.platform = parts.platform
    this.receiver = parts.receiver
    this.#stack = stack
  }

  static async open(settings: Parameters<typeof configure>[2] = {}): Promise<Stage> {
    await using stack = new AsyncDisposableStack()
    const work = stack.use(new Workplace())
    const platform = stack.use(await LoopbackPlatform.start())
    const receiver = stack.use(await LoopbackReceiver.start())
    const stage = new Stage({ work, platform, receiver }, stack.move())
    stage.configure(settings)
    return stage
  }

  configure(settings: Parameters<typeof configure>[2]): void {
    configure(this.work, { platform: this.platform.url, receiver: this.receiver.url }, settings)
  }

  /** A daemon whose receiver has heard that every list was learnt. */
  async startLearnt(): Promise<RunningShipbell> {
    const daemon = this.work.start('run')
    await baselined(this.receiver)
    return daemon
  }

  /** Every row of the ledger, or those the options choose. */
  async deliveries(...options: readonly string[]): Promise<readonly ListedDelivery[]> {
    return listed((await this.work.run('deliveries', 'list', '--json', ...options)).stdout)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** What a command about deliveries prints with `--json`. */
export function listed(json: string): readonly ListedDelivery[] {
  return JSON.parse(json)
}
