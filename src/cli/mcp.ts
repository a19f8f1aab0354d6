import { Command } from 'commander'
import { serveMcp } from '../app/serve-mcp.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { statusOf } from './status-report.ts'

interface Options {
  readonly config: string
  readonly act?: true
}

/** `stdin`: where messages come from; read only once the store is open. */
export function mcpCommand(context: CommandContext, stdin = () => process.stdin): Command {
  return new Command('mcp')
    .description(
      'A Model Context Protocol server on standard input and output: an assistant asks of what the store knows. It needs no daemon, and only reads unless told otherwise',
    )
    .addOption(configOption())
    .option(
      '--act',
      'let it also acknowledge exceptions, send deliveries again, and subscribe callbacks where the file names hosts',
    )
    .action(async ({ act, config }: Options) => {
      await serveMcp({
        ...context,
        file: config,
        mayAct: act === true,
        stdin: stdin(),
        write: (bytes) => context.writeBytes?.(bytes),
        logged: (line) => context.stderr.write(line),
        status: async () => await statusOf(context, { config }),
      })
    })
}
