import path from 'node:path'
import { Command } from 'commander'
import { ShipbellError } from '../errors.ts'
import { FAULTS_HELP, readDeliveries, startSandbox } from '../sandbox/sandbox.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'

interface Flags {
  readonly port: string
  readonly shipments: string
  readonly speed: string
  readonly seed: string
  readonly apiKey: string
  readonly data?: string
  readonly faults: string
}

/** `shipbell sandbox`: the platform simulator alone, until the signal aborts. */
export function sandboxCommand(context: CommandContext): Command {
  return new Command('sandbox')
    .description('Serve a simulated platform with seeded, consistent freight data')
    .addOption(configOption().hideHelp())
    .option('--port <n>', 'port to listen on; 0 takes any free one', '8383')
    .option('--shipments <n>', 'shipments at the start; more are created as time goes by', '100')
    .option('--speed <x>', 'simulated seconds per real second', '60')
    .option('--seed <s>', 'another seed is another account', '1')
    .option('--api-key <k>', 'the key that requests must carry', 'sandbox')
    .option(
      '--data <csv>',
      'replay the real deliveries of a CSV file, gzipped or plain, from their first day on; --speed 86400 plays a day a second',
    )
    .option('--faults <profile>', 'none, light, heavy, or probabilities like 429=0.05,shift=0.1', 'none')
    .addHelpText('after', `\n${FAULTS_HELP}`)
    .action((flags: Flags) => serve(flags, context))
}

async function serve(flags: Flags, { stdout, cwd, clock, signal }: CommandContext): Promise<void> {
  const { seed, apiKey } = flags
  if (!/^[\x21-\x7E]+$/.test(apiKey)) {
    throw new ShipbellError(
      'usage',
      '--api-key must be visible ASCII characters without spaces, as an HTTP header carries it.',
    )
  }
  const shipments = whole('--shipments', flags.shipments, 100_000)
  const deliveries = flags.data === undefined ? undefined : readDeliveries(path.resolve(cwd, flags.data))
  await using sandbox = await startSandbox({
    port: whole('--port', flags.port, 65_535),
    shipments,
    speed: speedOf(flags.speed),
    seed,
    apiKey,
    clock,
    faults: flags.faults,
    ...(deliveries === undefined ? {} : { deliveries }),
  })
  const origin = flags.data === undefined ? `seed ${seed}` : `from ${flags.data}`
  stdout.write(
    `The sandbox platform is at ${sandbox.url}\n` +
      `  ${deliveries?.length ?? shipments} shipments, ${flags.speed} times faster than real time, ${origin}, API key ${apiKey}, faults ${flags.faults}\n\n` +
      `  curl -H 'Authorization: Bearer ${apiKey.replaceAll("'", String.raw`'\''`)}' '${sandbox.url}/v1/shipments?take=2'\n\n` +
      'Press Ctrl-C to stop.\n',
  )
  await aborted(signal)
}

function whole(flag: string, text: string, largest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value <= largest) return value
  throw new ShipbellError('usage', `${flag} must be a whole number from 0 to ${largest}, not ${JSON.stringify(text)}.`)
}

/** Faster than a million, simulated dates leave the calendar within a year. */
const FASTEST = 1_000_000

function speedOf(text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= FASTEST) return value
  throw new ShipbellError(
    'usage',
    `--speed must be a number above 0 and up to ${FASTEST}, not ${JSON.stringify(text)}.`,
  )
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
