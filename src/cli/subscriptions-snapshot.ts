import { Command, Option } from 'commander'
import type { SentSnapshot } from '../app/send-snapshot.ts'
import { ShipbellError } from '../errors.ts'
import { RECORD_RESOURCES, type RecordResource } from '../model/resource.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { cancelSnapshot, countSnapshot } from '../operate/snapshots.ts'
import { requireWholeConfig } from '../operate/runtime/whole-config.ts'
import { snapshotState, snapshotSums } from '../model/snapshot-run.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, report, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { progressLine } from './progress-line.ts'
import { requireEndpoint, requireSubscription } from './require-named.ts'

interface SnapshotOptions extends JsonOptions {
  readonly config: string
  readonly resource?: RecordResource
  readonly dryRun?: true
  readonly cancel?: true
}

export function subscriptionsSnapshotCommand(context: CommandContext): Command {
  return new Command('snapshot')
    .description('Send one every known record as it stands; exit code 1 unless all arrive')
    .argument('<name>', 'the subscription')
    .addOption(configOption())
    .addOption(new Option('--resource <resource>', 'only records of this kind').choices(RECORD_RESOURCES))
    .option('--dry-run', 'only count what would be sent')
    .option('--cancel', 'send no more of what is under way')
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (name: string, options: SnapshotOptions) => {
      const { cancel, dryRun, resource } = options
      if (cancel === true && (dryRun === true || resource !== undefined))
        throw new ShipbellError('usage', '`--cancel` goes with neither `--resource` nor `--dry-run`.')
      if (cancel === true) await stop(context, name, options)
      else if (dryRun === true) await count(context, name, options)
      else await send(context, name, options)
    })
}

async function stop(context: CommandContext, name: string, options: SnapshotOptions): Promise<void> {
  await using store = await openConfiguredStore(options.config, context, 'write')
  await requireEndpoint(store, name)
  await cancelSnapshot({ store, clock: context.clock }, name)
  const said = `The snapshot of ${name} is cancelled: what was sent stays.`
  report(context, { options, said, document: { subscription: name, cancelled: true } })
}

async function count(context: CommandContext, name: string, options: SnapshotOptions): Promise<void> {
  const config = await requireWholeConfig(options.config, context)
  requireSubscription(config, name)
  await using store = await openConfiguredStore(options.config, context, 'read')
  const choice = { subscription: name, only: options.resource ?? null }
  const { leftOut, rows } = await countSnapshot({ store, clock: context.clock, config }, choice)
  const said = `Would send ${name} ${records(rows)}${leftOutWords(leftOut)}.`
  report(context, { options, said, document: { subscription: name, rows, left_out: leftOut } })
}

async function send(context: CommandContext, name: string, options: SnapshotOptions): Promise<void> {
  const config = await requireWholeConfig(options.config, context)
  requireSubscription(config, name)
  const progress = progressLine(context)
  const { sendSnapshot } = await import('../app/send-snapshot.ts')
  const sent = await sendSnapshot({
    config,
    surroundings: context,
    subscription: name,
    only: options.resource ?? null,
    onProgress: progress.show,
  }).finally(progress.end)
  const { isUndelivered, run } = sent
  const state = run === null ? 'cancelled' : snapshotState(run)
  const { leftOut, sent: rows } = run === null ? { leftOut: 0, sent: 0 } : snapshotSums(run)
  const document = { subscription: name, state, rows, left_out: leftOut, undelivered: isUndelivered }
  report(context, { options, said: sentWords(name, sent), document })
  if (state !== 'ended' || isUndelivered) context.setExitCode(1)
}

function sentWords(name: string, { isUndelivered, rows: total, run }: SentSnapshot): string {
  const state = run === null ? 'cancelled' : snapshotState(run)
  const { leftOut, sent } = run === null ? { leftOut: 0, sent: 0 } : snapshotSums(run)
  const what = `${name} was sent ${records(sent)}${leftOutWords(leftOut)}`
  if (state === 'cancelled') return `The snapshot of ${name} was cancelled: ${records(sent)} had been sent.`
  if (state === 'under_way') {
    const of = total === null ? '' : ` of ${total.toLocaleString('en')}`
    return `${name} was sent ${records(sent)}${of} so far. It goes on while a daemon runs, once the subscription can be sent to and all records are known: \`shipbell status\` says how far it is.`
  }
  return isUndelivered
    ? `${what}, not all of which arrived: \`shipbell deliveries list --subscription ${name} --undelivered\` shows them.`
    : `${what}.`
}

function records(amount: number): string {
  return `${amount.toLocaleString('en')} record${amount === 1 ? '' : 's'}`
}

function leftOutWords(amount: number): string {
  return amount === 0 ? '' : `; \`where\` leaves ${amount.toLocaleString('en')} out`
}
