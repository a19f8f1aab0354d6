import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { matchedSince } from '../operate/backfill.ts'
import type { LoggedEvent } from '../model/event.ts'
import { formatInstant } from '../model/instant.ts'
import type { Subscription } from '../model/subscription.ts'
import { shellWord } from '../printable.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import type { JsonOutput } from './json-output.ts'
import { painter } from './terminal.ts'
import { parsePointInTime } from './options.ts'
import { writeTable } from './table.ts'
import { wallTime } from './wall-clock.ts'

interface Question {
  readonly file: string
  readonly subscription: Subscription
  readonly since: string
  readonly json: JsonOutput | null
}

interface Matched {
  readonly count: number
  readonly first: LoggedEvent
  readonly last: LoggedEvent
}

/** Says what a subscription would have received since an instant, had it been configured as it is today. Sends nothing. */
export async function wouldReceive(context: CommandContext, question: Question): Promise<void> {
  const { file, subscription, json } = question
  const since = parsePointInTime(question.since, context.clock.now())
  await using store = await openConfiguredStore(file, context, 'read')
  const types = new Map<string, Matched>()
  let total = 0
  for await (const events of matchedSince(store, subscription, since)) {
    total += events.length
    for (const event of events) types.set(event.type, counted(types.get(event.type), event))
  }
  const byType = [...types].toSorted(([one, a], [two, b]) => b.count - a.count || one.localeCompare(two))
  if (json !== null)
    json.document(wouldReceiveJson({ name: subscription.name, since, total, asked: question.since }, byType))
  else write(context, { name: subscription.name, since, total, asked: question.since }, byType)
}

interface Summary {
  readonly name: string
  readonly since: number
  /** `since` as it was given. */
  readonly asked: string
  readonly total: number
}

function counted(before: Matched | undefined, event: LoggedEvent): Matched {
  return { count: (before?.count ?? 0) + 1, first: before?.first ?? event, last: event }
}

function wouldReceiveJson({ name, since, total }: Summary, byType: readonly (readonly [string, Matched])[]): object {
  return {
    subscription: name,
    since: formatInstant(since),
    total,
    types: byType.map(([type, { count, first, last }]) => ({
      type,
      count,
      first: { id: first.id, timestamp: formatInstant(first.timestamp) },
      last: { id: last.id, timestamp: formatInstant(last.timestamp) },
    })),
  }
}

function write(
  context: CommandContext,
  { name, since, asked, total }: Summary,
  byType: readonly (readonly [string, Matched])[],
): void {
  const { stdout } = context
  stdout.write(`${name} would have received ${total} event${total === 1 ? '' : 's'} since ${wallTime(since)}.\n`)
  if (total === 0) return
  const columns = [
    { title: 'TYPE' },
    { title: 'EVENTS', align: 'right' },
    { title: 'FIRST' },
    { title: 'LAST' },
  ] as const
  const rows = byType.map(([type, { count, first, last }]) => [
    type,
    String(count),
    wallTime(first.timestamp),
    wallTime(last.timestamp),
  ])
  writeTable(columns, rows, { stream: stdout, paint: painter(context) })
  stdout.write(
    asInvoked(
      `Nothing was sent; \`shipbell deliveries retry --subscription ${name} --since ${shellWord(asked)} --missing\` sends it.\n`,
      context,
    ),
  )
}
