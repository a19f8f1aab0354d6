import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { holdsCommand } from '../../src/cli/holds.ts'
import { onceCommand } from '../../src/cli/once.ts'
import { storeCommand } from '../../src/cli/store.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { runCommand, type Outcome } from '../cli/run-command.ts'
import { ShiftedClock } from '../support/shifted-clock.ts'
import type { KeptDelivery, KeptEvent, KeptFacts } from './fixtures/content.ts'
import { ContentPlatform } from './fixtures/content-platform.ts'
import { keptConfig, type KeptConfig } from './fixtures/kept-config.ts'
import { PathReceiver } from './fixtures/path-receiver.ts'
import { withFolder } from './folder.ts'

const FOLDER = new URL('fixtures/', import.meta.url)
const COMMANDS = {
  once: onceCommand,
  store: storeCommand,
  subscriptions: subscriptionsCommand,
  holds: holdsCommand,
  events: eventsCommand,
  deliveries: deliveriesCommand,
} as const

/** The schemas of which a store is kept. */
export function keptVersions(): readonly string[] {
  return readdirSync(FOLDER).flatMap((file) => /^(\d{4})\.db\.gz$/.exec(file)?.[1] ?? [])
}

/** The bytes of a store as the program of its day left it. */
export function keptStore(version: string): Buffer {
  return gunzipSync(readFileSync(new URL(`${version}.db.gz`, FOLDER)))
}

/**
 * A copy of a kept store, the world that it knew, and the program of today, which goes on a few moments after the one that
 * made the store had ended.
 */
export class KeptStage {
  readonly facts: KeptFacts
  readonly platform: ContentPlatform
  readonly receiver: PathReceiver
  readonly clock: ShiftedClock
  readonly #folder: string
  #storage: Pick<KeptConfig, 'storage'> = {}

  private constructor(parts: Pick<KeptStage, 'facts' | 'platform' | 'receiver'>, folder: string) {
    this.facts = parts.facts
    this.platform = parts.platform
    this.receiver = parts.receiver
    this.clock = new ShiftedClock(parts.facts.madeAt + 1_000)
    this.#folder = folder
    this.platform.now = () => this.clock.now()
  }

  static async play(version: string, act: (stage: KeptStage) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
      await using platform = await ContentPlatform.start()
      await using receiver = await PathReceiver.start()
      const text = gunzipSync(readFileSync(new URL(`${version}.json.gz`, FOLDER))).toString()
      const facts: KeptFacts = JSON.parse(text)
      writeFileSync(`${folder}/shipbell.db`, keptStore(version), { mode: 0o600 })
      for (const [account, content] of Object.entries(facts.contents)) platform.contents.set(account, content)
      const stage = new KeptStage({ facts, platform, receiver }, folder)
      stage.configure()
      await act(stage)
    })
  }

  /** As the file was last, but for what is named. */
  configure(keys: Partial<KeptConfig> = {}): void {
    const last = { retry: ['6h', '12h'], off: ['off'], without: ['missing'] }
    const text = keptConfig({
      platform: this.platform.url,
      receiver: this.receiver.url,
      ...last,
      ...this.#storage,
      ...keys,
    })
    writeFileSync(`${this.#folder}/shipbell.yaml`, text)
  }

  /** Moves the store to a database, or a file, and goes on there. */
  async moveTo(storage: NonNullable<KeptConfig['storage']>): Promise<Outcome> {
    const moved = await this.run('store', 'copy', '--to', 'url' in storage ? storage.url : storage.path)
    this.#storage = { storage }
    this.configure()
    return moved
  }

  /** The path of the store. */
  get store(): string {
    return `${this.#folder}/shipbell.db`
  }

  async run(command: keyof typeof COMMANDS, ...args: readonly string[]): Promise<Outcome> {
    return runCommand(COMMANDS[command], args, { cwd: this.#folder, clock: this.clock })
  }

  /** Rows of the ledger that the kept store had in this state. */
  kept(subscription: string, state: string): readonly KeptDelivery[] {
    return this.facts.deliveries.filter((row) => row.subscription === subscription && row.state === state)
  }

  async events(): Promise<readonly KeptEvent[]> {
    return JSON.parse((await this.run('events', 'list', '--json')).stdout)
  }

  async deliveries(): Promise<readonly KeptDelivery[]> {
    return JSON.parse((await this.run('deliveries', 'list', '--json')).stdout)
  }

  /** What rang since the store was kept. */
  async rung(): Promise<readonly KeptEvent[]> {
    return (await this.events()).slice(this.facts.events.length)
  }
}
