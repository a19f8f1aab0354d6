import { deliveryJson, type WouldSend } from '../report/delivery.ts'
import { disabledWords, heldWords } from '../report/retry-notes.ts'
import type { Delivery } from '../model/delivery.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { writeDeliveries } from './delivery-rows.ts'
import { jsonOutput, type JsonOptions } from './json-output.ts'
import type { RetryRows } from '../operate/retry-choice.ts'

/** Rows that a screen takes. */
const SCREEN = 50

/** What would be sent; nothing was. */
export async function writeChoice(
  context: CommandContext,
  { rows, expired }: RetryRows,
  options: JsonOptions,
): Promise<void> {
  const json = jsonOutput(context, options)
  if (json !== null) await json.list(rows, deliveryJson)
  else if (rows.length === 0) context.stdout.write('Nothing to retry.\n')
  else {
    const unmade = rows.filter(({ id }) => id === null).length
    const ofThem = unmade === 0 ? '' : `, ${unmade} of them events without a row`
    context.stdout.write(`Would send ${rows.length}${ofThem}:\n`)
    writeSome(context, rows)
  }
  sayExpired(context, expired)
}

interface Sent {
  readonly sent: readonly Delivery[]
  readonly expired: number
  /** How many of them wait to be taken from a feed. */
  readonly inFeeds: number
  /** The endpoints as they were before. */
  readonly endpoints: readonly EndpointOverview[]
}

/** What became of the rows that were sent. */
export async function writeSent(
  context: CommandContext,
  { sent, expired, inFeeds, endpoints }: Sent,
  options: JsonOptions,
): Promise<void> {
  const json = jsonOutput(context, options)
  if (json !== null) await json.list(sent, deliveryJson)
  else if (sent.length === 0) context.stdout.write('Nothing to retry.\n')
  else if (sent.length <= SCREEN) writeDeliveries(context, sent)
  else {
    const rest = sent.filter(({ state }) => state !== 'delivered')
    context.stdout.write(`${sent.length} rows: ${sent.length - rest.length} delivered, ${rest.length} not.\n`)
    if (rest.length > 0) writeSome(context, rest)
  }
  sayExpired(context, expired)
  sayWaiting(context, sent)
  if (inFeeds > 0)
    context.stderr.write(`${inFeeds === 1 ? '1 row waits' : `${inFeeds} rows wait`} to be taken from a feed (pull).\n`)
  for (const name of new Set(sent.filter(({ state }) => state === 'held').map(({ subscription }) => subscription))) {
    const endpoint = endpoints.find(({ subscription }) => subscription === name)
    const words = (endpoint === undefined ? null : heldWords(endpoint)) ?? disabledWords(name)
    context.stderr.write(`${asInvoked(words, context)}\n`)
  }
}

function writeSome(context: CommandContext, rows: readonly WouldSend[]): void {
  writeDeliveries(context, rows.slice(0, SCREEN))
  if (rows.length > SCREEN) context.stdout.write(`… and ${rows.length - SCREEN} more; --json lists all.\n`)
}

function sayWaiting({ stderr }: CommandContext, sent: readonly Delivery[]): void {
  const waiting = sent.filter(({ state, waitsFor }) => state === 'pending' && waitsFor !== null).length
  if (waiting > 0)
    stderr.write(
      `${waiting === 1 ? '1 row waits' : `${waiting} rows wait`} for an earlier event of the same subject (order: subject).\n`,
    )
}

function sayExpired({ stderr }: CommandContext, expired: number): void {
  if (expired === 0) return
  const what =
    expired === 1 ? '1 event cannot be sent: its payload has' : `${expired} events cannot be sent: their payloads have`
  stderr.write(`${what} expired (retention.payloads).\n`)
}
