import { Command } from 'commander'
import { backUpStore } from '../app/store-backup.ts'
import { contentsJson, contentsWords } from '../report/store-contents.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { terminalText } from './terminal.ts'

interface Options extends JsonOptions {
  readonly config: string
  readonly force?: true
}

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('Write a consistent, checked copy of the store to FILE (mode 0600), also while a daemon works on it')
    .argument('<file>', 'where to')
    .addOption(configOption())
    .option('--force', 'replace FILE where it is there')
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (file: string, { config, force, ...options }: Options) => {
      const json = jsonOutput(context, options)
      const contents = await backUpStore({ config, file, replace: force === true }, context)
      if (json !== null) json.document({ file, ...contentsJson(contents) })
      else context.stdout.write(`Wrote ${terminalText(file)}, and checked it: ${contentsWords(contents)}.\n`)
    })
}
