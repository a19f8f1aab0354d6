import { Command } from 'commander'
import { ENDLESS_PATIENCE } from '../app.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { openService } from './open-service.ts'

export function runCommand(context: CommandContext): Command {
  return new Command('run')
    .description('The daemon: polls, detects, delivers, serves the admin interface until SIGTERM or SIGINT')
    .addOption(configOption())
    .action(async ({ config: file }: { config: string }) => {
      const opened = await openService(file, context, { command: 'run', patience: ENDLESS_PATIENCE })
      const { config, log } = opened
      await using service = opened.service
      const server = await service.serve()
      if (server !== null) context.stdout.write(`admin interface on ${server.url}\n`)
      const counts = { accounts: config.accounts.length, subscriptions: config.subscriptions.length }
      log.info({ file, ...counts }, 'config.loaded')
      await service.run(context.signal)
      log.info('run.stopped')
    })
}
