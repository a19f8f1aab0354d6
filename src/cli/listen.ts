import { once } from 'node:events'
import { Command, InvalidArgumentError } from 'commander'
import { Forwarder, type ForwardedAnswer } from '../app/forwarder.ts'
import { printableJson } from '../printable.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { deliveryLine } from './delivery-line.ts'
import { startReceiver, type ReceivedDelivery } from './receiver.ts'
import { painter, terminalText, type Paint } from './terminal.ts'
import { schemeOf } from './verify-signature.ts'

interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly secret?: string
  readonly respond?: readonly number[]
  readonly forwardTo?: URL
  readonly json?: true
}

/** `shipbell listen`: prints what subscribers would get, until it is stopped. */
export function listenCommand(context: CommandContext): Command {
  return new Command('listen')
    .description('Receive webhooks: verify the signature, print each event in one line')
    .addOption(configOption().hideHelp())
    .option('--port <n>', 'the port; 0 for any free one', parsePort, 8585)
    .option('--host <address>', 'the address it listens on; 0.0.0.0 within a container', '127.0.0.1')
    .option('--secret <secret>', 'verify signatures with this secret: whsec_…; for v1a whpk_… or whsk_…', parseSecret)
    .option('--respond <statuses>', 'answer with these statuses in turn, the last one from then on', parseStatuses)
    .option(
      '--forward-to <url>',
      'pass on what is verified, body and headers, and answer as it is answered there',
      parseUrl,
    )
    .option('--json', 'print bodies as they come, one per line')
    .action(async (options: ListenOptions) => await listen(context, options))
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { stdout, stderr, signal } = context
  const paint = painter(context)
  const { clock } = context
  await using resources = new AsyncDisposableStack()
  const forwarder = options.forwardTo && resources.use(new Forwarder({ url: options.forwardTo.href, clock, signal }))
  const receiver = resources.use(
    await startReceiver({
      host: options.host,
      port: options.port,
      secret: options.secret ?? null,
      respond: options.respond ?? [],
      clock,
      forwarder,
      onDelivery: (delivery) => {
        if (options.json !== true) stdout.write(`${deliveryLine(delivery, paint)}\n`)
        else if (isBelieved(delivery)) stdout.write(`${oneLine(delivery.body)}\n`)
        else stderr.write(`${deliveryLine(delivery, paint)}\n`)
        const { forwarded } = delivery
        if (forwarder === undefined || forwarded === null) return
        const out = options.json === true ? stderr : stdout
        out.write(forwardedLines(forwarder.origin, forwarded, paint))
      },
    }),
  )
  const checks = options.secret === undefined ? 'signatures are not verified; pass --secret' : 'verifying signatures'
  const target = forwarder === undefined ? '' : `, forwarding to ${forwarder.origin}`
  stderr.write(`Listening on ${receiver.url} (${checks}${target}).\n`)
  if (!signal.aborted) await once(signal, 'abort')
}

/** What was answered where a delivery was passed on. */
function forwardedLines(origin: string, { answer, durationMs, error, status }: ForwardedAnswer, paint: Paint): string {
  const outcome = error === null ? paint('dim', `${origin} answered ${status}`) : paint('red', terminalText(error))
  const said = answer === null ? '' : `: ${terminalText(answer)}`
  return `  → ${outcome} (${durationMs} ms)${said}\n`
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

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url !== null && isWeb && url.username === '' && url.password === '') return url
  throw new InvalidArgumentError('Give a URL of http or https, without user and password.')
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
