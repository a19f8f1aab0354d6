import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { freshSample, postEvent } from '../operate/post-sample.ts'
import { requireWholeConfig } from '../operate/runtime/whole-config.ts'
import { requireAllowNetworks } from '../config/load-config.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import { EVENT_CATALOGUE, type EventType } from '../model/event-catalogue.ts'
import { parseSigningKey } from '../model/signing-key.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { requireSubscription } from './require-named.ts'
import { outcomeLines, sendTest } from './send-test.ts'

interface TriggerOptions extends JsonOptions {
  readonly config: string
  readonly to: string
  readonly secret?: string
}

/** `shipbell trigger`: a sample of any type of event, where somebody wants to see how it is taken. */
export function triggerCommand(context: CommandContext): Command {
  return new Command('trigger')
    .description('Send a sample of any type of event, signed, once; exit code 1 unless it is taken')
    .argument('<type>', 'the type of event')
    .requiredOption('--to <target>', 'a subscription, whatever its `events`, or a URL')
    .option(
      '--secret <secret>',
      'sign for a URL with this: whsec_… or whsk_…; left out: with one that is made and shown',
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (type: string, options: TriggerOptions, command: Command) => {
      const sampled = requireType(type)
      const url = webUrl(options.to)
      if (url === null) await toSubscription(context, sampled, options)
      else {
        const isNamed = command.getOptionValueSource('config') !== 'default'
        await toUrl(context, { type: sampled, url, isNamed, options })
      }
    })
}

function requireType(name: string): EventType {
  const known = EVENT_CATALOGUE.find(({ type }) => type === name)
  if (known !== undefined) return known.type
  const nearest = nearestName(
    name,
    EVENT_CATALOGUE.map(({ type }) => type),
  )
  const hint = nearest === undefined ? '`shipbell events types` lists them.' : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `There is no event type ${JSON.stringify(name)}: ${hint}`)
}

/** The URL that a text is; null: it names a subscription. */
function webUrl(text: string): URL | null {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return null
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new ShipbellError(
    'usage',
    `--to ${JSON.stringify(text)} is no http or https URL: mend it, or name a subscription.`,
  )
}

async function toSubscription(context: CommandContext, type: EventType, options: TriggerOptions): Promise<void> {
  const { config: file, secret, to } = options
  if (secret !== undefined)
    throw new ShipbellError('usage', '--secret is for a URL: a subscription signs with its own.')
  const config = await requireWholeConfig(file, context)
  const subscription = requireSubscription(config, to)
  const at = context.clock.now()
  await sendTest(context, {
    config,
    subscription,
    json: jsonOutput(context, options),
    command: 'trigger',
    ring: async (store) => await store.addSample({ event: freshSample(type), subscription: to, at }),
  })
}

interface UrlTarget {
  readonly type: EventType
  readonly url: URL
  /** Whether a configuration was named. */
  readonly isNamed: boolean
  readonly options: TriggerOptions
}

async function toUrl(context: CommandContext, { isNamed, options, type, url }: UrlTarget): Promise<void> {
  const { clock, signal, stderr, stdout } = context
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const key = parseSigningKey(secret)
  if (key.kind === 'invalid') throw new ShipbellError('usage', `--secret ${key.reason}.`)
  const json = jsonOutput(context, options)
  const allowNetworks = networksFor(context, { url, file: options.config, isNamed })
  const made = options.secret === undefined ? secret : null
  if (made !== null) stderr.write(`Signed with ${made}, made for this; --secret signs with another.\n`)
  const event = freshSample(type)
  const outcome = await postEvent({ event, url: url.href, secret, allowNetworks, clock, signal })
  if (outcome.kind === 'cut') return signal.throwIfAborted()
  const { answer, durationMs, status } = outcome
  const error = outcome.kind === 'delivered' ? null : outcome.error
  const delivered = outcome.kind === 'delivered'
  const tried = { to: url.origin, delivered, event_id: event.id, status, duration_ms: durationMs, error, answer }
  if (json === null)
    stdout.write(`${outcomeLines(url.origin, { answer, durationMs, error, status })}  event ${event.id}\n`)
  else json.document({ ...tried, secret: made })
  if (!delivered) context.setExitCode(1)
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/**
 * The networks that a test may be sent to: those of the configuration. Where there is none, a URL that says loopback itself is
 * meant for it.
 */
function networksFor(
  context: CommandContext,
  { file, isNamed, url }: { readonly file: string; readonly isNamed: boolean; readonly url: URL },
): readonly string[] {
  if (isNamed || existsSync(path.resolve(context.cwd, file))) return requireAllowNetworks(file, context)
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname) ? LOOPBACK : []
}
