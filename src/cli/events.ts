import { Command } from 'commander'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import type { CommandContext } from './command-context.ts'
import { eventsShowCommand } from './events-show.ts'
import { eventsListCommand } from './events-list.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { writeTable } from './table.ts'
import { painter } from './terminal.ts'

export function eventsCommand(context: CommandContext): Command {
  return new Command('events')
    .description('The event log and the catalogue of event types')
    .addCommand(eventsListCommand(context))
    .addCommand(eventsShowCommand(context))
    .addCommand(eventsTypesCommand(context))
}

function eventsTypesCommand(context: CommandContext): Command {
  return new Command('types')
    .description('Every event type: what a subscription can name, and when it rings')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .action((options: JsonOptions) => {
      const json = jsonOutput(context, options)
      if (json !== null) return json.document(EVENT_CATALOGUE)
      const rows = EVENT_CATALOGUE.map(({ type, family, when }) => [type, family, when])
      writeTable([{ title: 'TYPE' }, { title: 'FAMILY' }, { title: 'WHEN' }], rows, {
        stream: context.stdout,
        paint: painter(context),
      })
    })
}
