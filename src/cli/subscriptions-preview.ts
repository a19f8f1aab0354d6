import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import type { PreviewedMessage } from '../operate/preview-subscription.ts'
import { nearestName } from '../config/nearest-name.ts'
import { requireWholeConfig } from '../operate/runtime/whole-config.ts'
import { ShipbellError } from '../errors.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import type { ShipbellEvent } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { requireEvent, type NamedEvent } from './require-event.ts'
import { requireSubscription } from './require-named.ts'
import { painter, terminalText } from './terminal.ts'

interface PreviewOptions extends JsonOptions {
  readonly config: string
  readonly type?: string
  readonly event?: string
  readonly account?: string
  readonly html?: string
}

export function subscriptionsPreviewCommand(context: CommandContext): Command {
  return new Command('preview')
    .description('Show what it would be sent, of samples of every event it hears; sends nothing')
    .argument('<name>', 'the subscription')
    .addOption(configOption())
    .option('--type <type>', 'only this type of event')
    .option('--event <id>', 'an event of the log instead of samples: its id, the beginning of it, or #SEQUENCE')
    .option('--html <file>', 'where the page of a mail is written; by default a temporary file')
    .option('--account <name>', 'the account of the event')
    .addOption(jsonOption('one JSON document: the bodies that would be sent'))
    .addOption(templateOption())
    .action(async (name: string, options: PreviewOptions) => {
      const config = await requireWholeConfig(options.config, context)
      const subscription = requireSubscription(config, name)
      const events = await eventsOf(context, subscription, options)
      const { previewSubscription } = await import('../operate/preview-subscription.ts')
      const previews = previewSubscription(subscription, events, config)
      const page = writePage(context, previews, options)
      const json = jsonOutput(context, options)
      if (json !== null) json.document(previews.map(previewJson))
      else write(context, previews, page)
      const failures = previews.flatMap((each) => each.failures)
      for (const { reason } of failures)
        context.stderr.write(`The built-in message stands in for a template: ${terminalText(reason)}\n`)
      if (failures.length > 0) context.setExitCode(1)
    })
}

async function eventsOf(
  context: CommandContext,
  subscription: Subscription,
  { account, config, event, type }: PreviewOptions,
): Promise<readonly ShipbellEvent[]> {
  if (event !== undefined && type !== undefined)
    throw new ShipbellError('usage', '--event and --type exclude each other: an event has its own type.')
  if (event !== undefined) return [await loggedEvent(context, config, { name: event, account })]
  const { previewableTypes } = await import('../operate/preview-subscription.ts')
  const types = previewableTypes(subscription)
  if (type !== undefined && !types.includes(type)) throw unmatched(subscription, types, type)
  const shown = EVENT_CATALOGUE.filter((each) =>
    type === undefined ? types.includes(each.type) && each.type !== 'shipbell.test' : each.type === type,
  )
  return shown.map((each) => sampleEvent(each.type))
}

async function loggedEvent(context: CommandContext, config: string, named: NamedEvent): Promise<ShipbellEvent> {
  await using store = await openConfiguredStore(config, context, 'read')
  const id = await requireEvent(store, named)
  const event = await store.event(id)
  if (event === null)
    throw new ShipbellError(
      'not_found',
      `There is no event ${JSON.stringify(id)}: \`shipbell events list\` shows them.`,
    )
  if (event.expiredAt === null) return event
  throw new ShipbellError('not_found', `The payload of ${id} has expired: there is nothing left to show.`)
}

function unmatched({ name }: Subscription, types: readonly string[], type: string): ShipbellError {
  const nearest = nearestName(type, types)
  const hint = nearest === undefined ? 'mend its `events`, or leave --type out.' : `did you mean ${nearest}?`
  return new ShipbellError('not_found', `${name} hears no event of type ${JSON.stringify(type)}: ${hint}`)
}

/** Where the page of a mail was written; null where there is none to write. */
function writePage(
  { cwd }: CommandContext,
  previews: readonly PreviewedMessage[],
  { html: wanted, json, template }: PreviewOptions,
): string | null {
  const pages = previews.flatMap(({ types, html }) => (html === null ? [] : [{ title: types.join(', '), html }]))
  if (pages.length === 0) {
    if (wanted === undefined) return null
    throw new ShipbellError('usage', '--html is for mail: this subscription sends no page. Leave it out.')
  }
  if (wanted === undefined && (json !== undefined || template !== undefined)) return null
  const file =
    wanted === undefined
      ? path.join(mkdtempSync(path.join(tmpdir(), 'shipbell-')), 'preview.html')
      : path.resolve(cwd, wanted)
  try {
    writeFileSync(file, previewPage(pages), { mode: 0o600 })
  } catch (cause) {
    throw new ShipbellError('usage', `The page cannot be written to ${file}: name another file with --html.`, { cause })
  }
  return file
}

function previewJson({ types, body }: PreviewedMessage): object {
  return { types, body }
}

const LONGEST_LINE = 2_000

function write(context: CommandContext, previews: readonly PreviewedMessage[], page: string | null): void {
  const paint = painter(context)
  const sections = previews.map(({ types, text }) => {
    const lines = text.split('\n').map((line) => (line === '' ? '\n' : `  ${terminalText(line, LONGEST_LINE)}\n`))
    return `${paint('bold', types.join(', '))}\n${lines.join('')}`
  })
  context.stdout.write(sections.join('\n'))
  if (page !== null) context.stdout.write(`\nThe page: ${page}\n`)
}

interface PreviewedPage {
  readonly title: string
  /** A whole document. */
  readonly html: string
}

/** One page as it is; several as frames of one page, each with nothing but its own text: no scripts, no way out. */
function previewPage(pages: readonly PreviewedPage[]): string {
  const [only] = pages
  if (only !== undefined && pages.length === 1) return only.html
  const frames = pages.map(
    ({ title, html }) => `<h2>${escaped(title)}</h2>\n<iframe sandbox="" srcdoc="${escaped(html)}"></iframe>\n`,
  )
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Shipbell: a preview</title>
<style>
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { margin: 2rem 0 .5rem; font-size: 1rem }
iframe { width: 100%; height: 36rem; border: 1px solid #ccc; border-radius: .5rem; background: #fff }
</style>
${frames.join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
