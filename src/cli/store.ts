import { Command } from 'commander'
import { moveStore } from '../app/move-store.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { progressLine } from './progress-line.ts'
import { terminalText } from './terminal.ts'

interface Options extends JsonOptions {
  readonly config: string
  readonly to: string
}

export function storeCommand(context: CommandContext): Command {
  return new Command('store').description('Where the state is kept').addCommand(copyCommand(context))
}

function copyCommand(context: CommandContext): Command {
  return new Command('copy')
    .description(
      'Move the store from its file to a PostgreSQL database, or back, with all it knows: an empty place is filled and compared, and the store marked as moved; refused while anybody works on it',
    )
    .addOption(configOption())
    .requiredOption('--to <url|file>', 'postgres://…, or a file; ${VAR} and ${file:PATH} as in the configuration')
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async ({ config, to: target, ...options }: Options) => {
      const json = jsonOutput(context, options)
      const { end, show } = progressLine(context)
      const { from, kind, rows, to } = await moveStore({ config, to: target, progress: show }, context).finally(end)
      const amount = [...rows.values()].reduce((sum, each) => sum + each, 0)
      if (json !== null) return json.document({ from, to, rows: amount, tables: Object.fromEntries(rows) })
      const key = kind === 'postgres' ? 'storage.url' : 'storage.path'
      const next = `Name it in ${key}, and start \`shipbell run\`: nothing rings twice.`
      context.stdout.write(
        `Moved ${amount} rows from ${terminalText(from)} to ${terminalText(to)}, and compared them.\n${asInvoked(next, context)}\n`,
      )
    })
}
