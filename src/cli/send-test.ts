import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { refusePulled } from '../operate/require-endpoint.ts'
import { sendRows } from '../app/send-rows.ts'
import type { Config } from '../config/config.ts'
import { ShipbellError } from '../errors.ts'
import type { Subscription } from '../model/subscription.ts'
import { sentTest, testedDelivery, testedJson, type TestedDelivery } from '../report/tested-delivery.ts'
import type { Store } from '../store/ports/store.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import type { JsonOutput } from './json-output.ts'
import { assertKnownToDaemon } from './require-named.ts'
import { terminalText } from './terminal.ts'

interface Test {
  readonly config: Config
  readonly subscription: Subscription
  /** What holds the store's lock meanwhile. */
  readonly command: string
  /** Makes the row of the test; resolves to its id. */
  readonly ring: (store: Store) => Promise<string>
  readonly json: JsonOutput | null
}

/** Sends one test down the delivery path of a subscription and reports what came of it; exit code 1 unless it was taken. */
export async function sendTest(context: CommandContext, test: Test): Promise<void> {
  const { command, config, json, ring, subscription } = test
  refusePulled(subscription)
  const [row] = await sendRows({
    file: config.file,
    surroundings: context,
    command,
    makesStore: true,
    attemptMs: subscription.channel.timeoutMs,
    prepare: async (store, daemon) => {
      if (daemon) await assertKnownToDaemon(store, subscription.name)
      return [await ring(store)]
    },
  })
  if (row === undefined) throw new ShipbellError('internal', `The test of ${subscription.name} has no row.`)
  await using store = await openConfiguredStore(config.file, context, 'read')
  const tested = await testedDelivery(store, await sentTest(store, row), subscription)
  if (json !== null) json.document(testedJson(tested))
  else write(context, tested)
  if (row.state !== 'delivered') context.setExitCode(1)
}

function write(context: CommandContext, { row, attempt, disabled }: TestedDelivery): void {
  const { stdout, stderr } = context
  const name = terminalText(row.subscription)
  if (disabled !== null) {
    stderr.write(
      `${name} is disabled (${terminalText(disabled)}): its events are held, but a test is sent all the same.\n`,
    )
  }
  if (attempt === null) {
    const show = asInvoked(`\`shipbell events show ${row.eventId}\``, context)
    stdout.write(`${name}: no attempt was made in time; ${show} tells when one was.\n`)
    return
  }
  stdout.write(outcomeLines(name, attempt))
  stdout.write(`  event ${row.eventId}, delivery ${row.id}\n`)
}

interface Outcome {
  readonly status: number | null
  readonly durationMs: number
  /** Why the test was not delivered; null: it was. */
  readonly error: string | null
  readonly answer: string | null
}

/** How an attempt ended, and what was answered. */
export function outcomeLines(name: string, { answer, durationMs, error, status }: Outcome): string {
  const outcome = error === null ? `delivered, answered ${status}` : `NOT delivered, ${terminalText(error)}`
  const said = answer === null || answer === '' ? '' : `  it said: ${terminalText(answer)}\n`
  return `${name}: ${outcome} (${durationMs} ms)\n${said}`
}
