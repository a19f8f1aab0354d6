import { shownRecord } from '../model/event-data.ts'
import { laneText } from '../message/words/port.ts'
import { outlineOf } from '../model/record-outline.ts'
import { MILESTONES } from '../model/shipment.ts'
import type { Store } from '../store/ports/store.ts'
import type { DateValue, RecordDetail } from '../store/ports/record-query-port.ts'
import { firstItems } from './options.ts'
import type { CommandContext } from './command-context.ts'
import { DELIVERY_STYLES } from './delivery-rows.ts'
import { painter, terminalText, type Paint } from './terminal.ts'
import { wallDate, wallTime } from './wall-clock.ts'

/** Deliveries of one event that are named. */
const MOST_NAMED = 100

/** The longest line of a record: enough for any field that is meant for people. */
const LONGEST_RECORD_LINE = 2_000

interface Showing {
  readonly store: Store
  readonly record: RecordDetail
  /** Whether the record itself is shown too. */
  readonly whole: boolean
}

/** Where a record stands, and the values that its dates had. Whatever it says of records is safe for a terminal. */
export async function writeRecord(context: CommandContext, { record, store, whole }: Showing): Promise<void> {
  const paint = painter(context)
  const { account, dates, id, name, resource } = record
  const title = [`${resource} ${id}`, name].filter((part) => part !== null).map((part) => terminalText(part))
  context.stdout.write(`${paint('bold', title.join('  '))}\n`)
  const rows = [['account', account], ...standing(record)] as const
  for (const [what, text = ''] of rows) context.stdout.write(`  ${what.padEnd(10)}  ${terminalText(text)}\n`)
  for (const milestone of MILESTONES) {
    const values = dates[milestone] ?? []
    if (values.length === 0) continue
    context.stdout.write(`\n${paint('bold', `${milestone.charAt(0).toUpperCase()}${milestone.slice(1)}`)}\n`)
    for (const value of values)
      for (const line of await valueLines(store, value, paint)) context.stdout.write(`  ${line}\n`)
  }
  if (whole) context.stdout.write(`\n${paint('bold', 'The record')}\n${recordLines(record)}`)
  else
    context.stdout.write(
      `\n${paint('dim', '--verbose shows the whole record too, --json everything as one document.')}\n`,
    )
}

function standing(record: RecordDetail): readonly (readonly [string, string])[] {
  const { carrier, lane } = outlineOf(record.resource, record.object)
  const rows: readonly (readonly [string, string | null])[] = [
    ['status', record.status],
    ['removed', record.removedAt === null ? null : wallTime(record.removedAt)],
    ['carrier', carrier],
    ['lane', lane && laneText(lane)],
    ['first seen', wallTime(record.firstSeenAt)],
    ['last read', wallTime(record.lastReadAt)],
    [
      'last event',
      record.lastEventAt === null ? 'none yet' : `${wallTime(record.lastEventAt)}, number ${record.version}`,
    ],
  ]
  return rows.flatMap(([what, text]) => (text === null ? [] : [[what, text] as const]))
}

async function valueLines(store: Store, value: DateValue, paint: Paint): Promise<readonly string[]> {
  const { date, eventId, seenAt, status, toldAt } = value
  const what =
    date === null && status === null ? 'no date' : `${date === null ? 'no date' : wallDate(date)} ${status ?? ''}`
  const seen = seenAt === null ? '' : `seen ${wallTime(seenAt)}`
  const told = toldAt === null ? 'not told' : `told ${wallTime(toldAt)}`
  const lines = [terminalText(what.trim()), paint('dim', `  ${[seen, told].filter((part) => part !== '').join(', ')}`)]
  return eventId === null ? lines : [...lines, `  ${await heard(store, eventId, paint)}`]
}

/** Who was sent an event, and what came of it. */
async function heard(store: Store, eventId: string, paint: Paint): Promise<string> {
  const { items, more } = await firstItems((page) => store.deliveryPage({ eventId, ...page }), MOST_NAMED)
  const names = items.map(
    ({ state, subscription }) => `${terminalText(subscription)} ${paint(DELIVERY_STYLES[state], state)}`,
  )
  const who = names.length === 0 ? 'no subscription matched' : `${names.join(', ')}${more ? ' …' : ''}`
  return `${terminalText(eventId)}: ${who}`
}

function recordLines({ object, resource }: RecordDetail): string {
  if (object === null) return '  Reads showed nothing.\n'
  const lines = JSON.stringify(shownRecord({ subject: { resource } }, object), null, 2).split('\n')
  return lines.map((line) => `  ${terminalText(line, LONGEST_RECORD_LINE)}\n`).join('')
}
