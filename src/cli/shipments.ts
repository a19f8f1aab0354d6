import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { jsonOption, templateOption } from './json-output.ts'
import { configOption } from './options.ts'
import { listRecords, type RecordListOptions } from './records-list.ts'
import { showRecord, type RecordShowOptions } from './records-show.ts'
import { shipmentsSlippedCommand } from './shipments-slipped.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

export function shipmentsCommand(context: CommandContext): Command {
  return new Command('shipments')
    .description('Where shipments stand, and how their dates moved')
    .addCommand(shipmentsListCommand(context))
    .addCommand(shipmentsShowCommand(context))
    .addCommand(shipmentsSlippedCommand(context))
}

function shipmentsListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Shipments, newest event first; with TEXT those that have all its words')
    .argument('[text]', 'words or parts of them: id, name, order, container, bill, reference, carrier, vessel, port')
    .addOption(configOption())
    .option('--account <name>', 'only of this account')
    .option('--status <status>', 'only with exactly this status')
    .option('--limit <n>', 'at most n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (q: string | undefined, options: RecordListOptions) =>
        listRecords(context, { resource: 'shipment', q }, options),
      ),
    )
}

function shipmentsShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description(
      'Where a shipment stands, and every value that its dates had: when it was seen, when and to whom it was told',
    )
    .argument('<id>', 'its id, in full')
    .addOption(configOption())
    .option('--account <name>', 'the account, where several have the id')
    .addOption(jsonOption())
    .addOption(templateOption())
    .option('--verbose', 'the whole shipment too; stack traces of errors')
    .addOption(zoneOption())
    .action(
      onWallClock(context, async function (this: Command, id: string) {
        // Every level of commands has --verbose: the outermost one takes it.
        await showRecord(context, { resource: 'shipment', id }, this.optsWithGlobals<RecordShowOptions>())
      }),
    )
}
