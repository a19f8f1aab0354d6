import { once } from 'node:events'
import { Command, InvalidArgumentError } from 'commander'
import { printableJson } from '../printable.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { deliveryLine } from './delivery-line.ts'
import { startReceiver, type ReceivedDelivery } from './receiver.ts'
import { painter } from './terminal.ts'
import { schemeOf } from './verify-signature.ts'

interface ListenOptions {
  readonly port: number
  readonly secret?: string
  readonly respond?: readonly number[]
  readonly json?: true
}

/** `shipbell listen`: prints what subscribers would get, until it is stopped. */
export function listenCommand(context: CommandContext): Command {
  return new Command('listen')
    .description('Receive webhooks: verify the signature, print each event in one line')
    .addOption(configOption().hideHelp())
    .option('--port <n>', 'the port on 127.0.0.1; 0 for any free one', parsePort, 8585)
    .option('--secret <secret>', 'verify signatures with this secret: whsec_…; for v1a whpk_… or whsk_…', parseSecret)
    .option('--respond <statuses>', 'answer with these statuses in turn, the last one from then on', parseStatuses)
    .option('--json', 'print bodies as they come, one per line')
    .action(async (options: ListenOptions) => await listen(context, options))
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { stdout, stderr, signal } = context
  const paint = painter(context)
  await using receiver = await startReceiver({
    port: options.port,
    secret: options.secret ?? null,
    respond: options.respond ?? [],
    clock: context.clock,
    onDelivery: (delivery) => {
      if (options.json !== true) stdout.write(`${deliveryLine(delivery, paint)}\n`)
      else if (isBelieved(delivery)) stdout.write(`${oneLine(delivery.body)}\n`)
      else stderr.write(`${deliveryLine(delivery, paint)}\n`)
    },
  })
  const checks = options.secret === undefined ? 'signatures are not verified; pass --secret' : 'verifying signatures'
  stderr.write(`Listening on ${receiver.url} (${checks}).\n`)
  if (!signal.aborted) await once(signal, 'abort')
}

function isBelieved({ signature, problem }: ReceivedDelivery): boolean {
  return problem === null && (signature.kind === 'verified' || signature.kind === 'unverified')
}

/** JSON has line breaks only between its tokens. */
function oneLine(json: string): string {
  return printableJson(json.replaceAll(/[\r\n]+/g, ' '))
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}

function parseSecret(text: string): string {
  if (schemeOf(text) !== null) return text
  throw new InvalidArgumentError(
    'A secret is whsec_ followed by base64; for v1a, whpk_ (32 bytes) or whsk_ (64 bytes).',
  )
}

function parseStatuses(text: string): readonly number[] {
  return text.split(',').map((each) => {
    const status = Number(each.trim())
    if (!/^[2-5]\d\d$/.test(each.trim())) {
      throw new InvalidArgumentError('Statuses are numbers from 200 to 599, separated by commas.')
    }
    return status
  })
}
