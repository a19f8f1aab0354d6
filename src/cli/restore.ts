import { Command } from 'commander'
import { restoreStore } from '../app/store-backup.ts'
import { contentsJson, contentsWords } from '../report/store-contents.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { terminalText } from './terminal.ts'

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('Replace the store at `storage.path` by a backup; refused while a daemon holds it')
    .argument('<file>', 'what `shipbell backup` wrote')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (file: string, { config, ...options }: { readonly config: string } & JsonOptions) => {
      const json = jsonOutput(context, options)
      const { contents, kept } = await restoreStore({ config, file }, context)
      if (json !== null) return json.document({ file, kept, ...contentsJson(contents) })
      const old = kept === null ? '' : `The store that was there is ${terminalText(kept)}.\n`
      const next = asInvoked('Start `shipbell run`: what changed since the backup rings again.', context)
      context.stdout.write(`Restored ${terminalText(file)}: ${contentsWords(contents)}.\n${old}${next}\n`)
    })
}
