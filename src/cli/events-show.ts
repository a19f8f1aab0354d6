import { Command } from 'commander'
import { openConfiguredStore, type Store } from '../app.ts'
import { ShipbellError } from '../errors.ts'
import type { Attempt, Delivery } from '../model/delivery.ts'
import type { ShipbellEvent } from '../model/event.ts'
import { eventTypeInfo } from '../model/event-catalogue.ts'
import { formatInstant } from '../model/instant.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { standardPayload } from '../model/payload.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { deliveryJson } from './delivery-json.ts'
import { eventLine } from './event-line.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { painter } from './paint.ts'
import { writeTable } from './table.ts'
import { terminalText } from './terminal-text.ts'

interface Told {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

const EVERY_ROW = 2 ** 31 - 1

export function eventsShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Explain an event: before, after, when it was seen, every delivery attempt')
    .argument('<id>', 'the event (evt_…)')
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .action(async (id: string, { config, json }: JsonOption & { readonly config: string }) => {
      await using store = openConfiguredStore(config, context, 'read')
      const event = await store.event(id)
      if (event === null) {
        throw new ShipbellError(
          'not_found',
          `There is no event ${JSON.stringify(id)}: \`shipbell events list\` shows them.`,
        )
      }
      const told = await deliveriesOf(store, id)
      if (json === true) writeJson(context, eventJson(event, told))
      else writeEvent(context, event, told)
    })
}

async function deliveriesOf(store: Store, id: string): Promise<readonly Told[]> {
  const deliveries = await store.deliveries({ id, limit: EVERY_ROW })
  return await Promise.all(
    deliveries.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) })),
  )
}

function eventJson(event: ShipbellEvent, told: readonly Told[]): JsonObject {
  return {
    payload: standardPayload(event),
    before: event.before,
    after: event.object,
    deliveries: told.map(({ delivery, attempts }) => ({ ...deliveryJson(delivery), tried: attempts.map(attemptJson) })),
  }
}

function attemptJson({ at, durationMs, status, error, answer }: Attempt): JsonObject {
  return { at: formatInstant(at), duration_ms: durationMs, status, error, answer }
}

function writeEvent(context: CommandContext, event: ShipbellEvent, told: readonly Told[]): void {
  const { stdout } = context
  const paint = painter(context)
  const heading = (text: string): string => `\n${paint('bold', text)}\n`
  stdout.write(`${eventLine(standardPayload(event))}\n`)
  stdout.write(`${eventTypeInfo(event.type)?.when ?? ''}\n${observed(event)}\n`)
  if (event.changes !== null) {
    stdout.write(heading('Changes'))
    const rows = event.changes.map(({ path, from, to }) => [path, brief(from), brief(to)])
    writeTable([{ title: 'PATH' }, { title: 'BEFORE' }, { title: 'AFTER' }], rows, { stream: stdout, paint })
  }
  stdout.write(heading('Deliveries'))
  if (told.length === 0) stdout.write('No subscription matched.\n')
  for (const { delivery, attempts } of told) {
    stdout.write(`${delivery.id}  ${terminalText(delivery.subscription)}  ${delivery.state}\n`)
    for (const attempt of attempts) stdout.write(`  ${attemptLine(attempt)}\n`)
  }
  stdout.write('\n--json shows the whole records before and after.\n')
}

function observed({ observed, timestamp }: ShipbellEvent): string {
  if (observed === null) return `It fired at ${formatInstant(timestamp)}.`
  const first = `It was first seen in an answer of ${formatInstant(observed.notAfter)}`
  if (observed.notBefore === null) return `${first}; nothing was read of it before.`
  return `${first}; the last read with the old value was sent at ${formatInstant(observed.notBefore)}.`
}

function attemptLine({ at, durationMs, status, error, answer }: Attempt): string {
  const outcome = [status === null ? null : String(status), error].filter((part) => part !== null).join(': ')
  const said = answer === null || answer === '' ? '' : `  ${terminalText(answer)}`
  return `${formatInstant(at)}  ${durationMs} ms  ${terminalText(outcome)}${said}`
}

function brief(value: Json): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
