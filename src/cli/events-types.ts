import { Command } from 'commander'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { painter } from './paint.ts'
import { writeTable } from './table.ts'

export function eventsTypesCommand(context: CommandContext): Command {
  return new Command('types')
    .description('Every event type: what a subscription can name, and when it rings')
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .action(({ json }: JsonOption) => {
      if (json === true) return writeJson(context, EVENT_CATALOGUE)
      const rows = EVENT_CATALOGUE.map(({ type, family, when }) => [type, family, when])
      writeTable([{ title: 'TYPE' }, { title: 'FAMILY' }, { title: 'WHEN' }], rows, {
        stream: context.stdout,
        paint: painter(context),
      })
    })
}
