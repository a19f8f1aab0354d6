import { Argument, Command } from 'commander'
import { RECORD_RESOURCES, type RecordResource } from '../model/resource.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, templateOption } from './json-output.ts'
import { configOption } from './options.ts'
import { listRecords, type RecordListOptions } from './records-list.ts'
import { showRecord, type RecordShowOptions } from './records-show.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

export function recordsCommand(context: CommandContext): Command {
  return new Command('records')
    .description('What the platform holds, as it was read last')
    .addCommand(recordsListCommand(context))
    .addCommand(recordsShowCommand(context))
}

function recordsListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Records of a resource, newest event first; with TEXT those that have all its words')
    .addArgument(resourceArgument())
    .argument('[text]', 'words or parts of them: id, number, name, reference, or the shipment')
    .addOption(configOption())
    .option('--account <name>', 'only of this account')
    .option('--status <status>', 'only with exactly this status')
    .option(
      '--due <when>',
      'of invoices: those that have yet to be paid, soonest first: overdue, any, or in so many days (7d)',
    )
    .option('--limit <n>', 'at most n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (resource: RecordResource, q: string | undefined, options: RecordListOptions) =>
        listRecords(context, { resource, q }, options),
      ),
    )
}

function recordsShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('One record as it was read last')
    .addArgument(resourceArgument())
    .argument('<id>', 'its id, in full')
    .addOption(configOption())
    .option('--account <name>', 'the account, where several have the id')
    .addOption(jsonOption())
    .addOption(templateOption())
    .option('--verbose', 'a whole shipment too; stack traces of errors')
    .addOption(zoneOption())
    .action(
      onWallClock(context, async function (this: Command, resource: RecordResource, id: string) {
        // Every level of commands has --verbose: the outermost one takes it.
        await showRecord(context, { resource, id }, this.optsWithGlobals<RecordShowOptions>())
      }),
    )
}

function resourceArgument(): Argument {
  return new Argument('<resource>', 'what it is').choices(RECORD_RESOURCES)
}
