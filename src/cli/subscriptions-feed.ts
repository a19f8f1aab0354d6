import { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { type Feed, type FeedAsked, type FeedEntry, feedBody, feedShape, positionOf, readFeed } from '../report/feed.ts'
import { redact } from '../redact.ts'
import type { FeedStore } from '../store/ports/feed-port.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, rowLimit } from './options.ts'
import { requireEndpoint } from './require-named.ts'
import { writeTable } from './table.ts'
import { painter } from './terminal.ts'

interface FeedOptions extends JsonOptions {
  readonly config: string
  readonly after?: string
  readonly limit?: string
}

const COLUMNS = [
  { title: 'POSITION', align: 'right' },
  { title: 'STATE' },
  { title: 'TYPE' },
  { title: 'EVENT' },
] as const
/** A page of the API: more are put together. */
const PAGE = 200

export function subscriptionsFeedCommand(context: CommandContext): Command {
  return new Command('feed')
    .description('What it is to receive, oldest first, whatever became of it')
    .argument('<name>', 'the subscription')
    .addOption(configOption())
    .option('--after <position>', 'behind this position (0)')
    .option('--limit <n>', 'at most n (50)')
    .addOption(jsonOption('one JSON document, as the API gives it'))
    .addOption(templateOption())
    .action(async (name: string, options: FeedOptions) => await show(context, name, options))
}

async function show(context: CommandContext, subscription: string, options: FeedOptions): Promise<void> {
  const { after, config: file, limit: most } = options
  const limit = rowLimit(most === undefined ? {} : { limit: most })
  await using store = await openConfiguredStore(file, context, 'read')
  await requireEndpoint(store, subscription)
  // What payloads look like is in the file: without its secrets they are shown as most subscriptions get them.
  const { accounts = [], subscriptions = [] } = loadConfig(file, { ...context, withoutWarnings: true }).config ?? {}
  const settings = subscriptions.find(({ name }) => name === subscription)
  const [shape, bodyOf] = [feedShape(settings), feedBody(settings, { accounts, shown: redact })]
  const feed = await collected(store, { subscription, after: afterOf(after), limit, shape, bodyOf })
  const json = jsonOutput(context, options)
  if (json !== null) json.document(options.template === undefined ? feedJson(feed) : feed.items.map(entryJson))
  else write(context, feed)
}

function afterOf(text = '0'): number {
  if (/^\d+$/.test(text)) return positionOf(text)
  throw new ShipbellError('usage', `--after ${JSON.stringify(text)} is not a position: give a whole number from 0.`)
}

async function collected(store: FeedStore, { limit, ...asked }: FeedAsked): Promise<Feed> {
  const items: FeedEntry[] = []
  for (let { after } = asked; ;) {
    const page = await readFeed(store, { ...asked, after, limit: Math.min(PAGE, limit - items.length) })
    if (page === null) throw new ShipbellError('internal', `The feed of ${asked.subscription} is gone.`)
    items.push(...page.items)
    if (page.next === null || items.length >= limit) return { ...page, items }
    after = page.next
  }
}

function feedJson({ first, head, items, next, series }: Feed): JsonObject {
  return { series, items: items.map(entryJson), first, next, head }
}

function entryJson({ eventId, payload, position, state }: FeedEntry): JsonObject {
  return { position, event_id: eventId, state, payload: payload === null ? null : parsed(payload) }
}

function parsed(payload: Uint8Array): Json {
  const document: Json = JSON.parse(Buffer.from(payload).toString())
  return document
}

function write(context: CommandContext, { head, items, next, series }: Feed): void {
  const { stderr, stdout } = context
  if (items.length === 0) stdout.write(head === 0 ? 'Nothing yet.\n' : `Nothing: the feed goes to ${head}.\n`)
  else {
    const rows = items.map(({ eventId, position, state, type }) => [String(position), state, type, eventId])
    writeTable(COLUMNS, rows, { stream: stdout, paint: painter(context) })
  }
  const more = next === null ? '' : `; --after ${next} shows more`
  stderr.write(`Series ${series}, the newest is ${head}${more}.\n`)
}
