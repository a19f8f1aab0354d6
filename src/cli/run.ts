import { Command } from 'commander'
import { ENDLESS_PATIENCE } from '../app.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { followConfig } from './follow-config.ts'
import { openService } from './open-service.ts'

export function runCommand(context: CommandContext): Command {
  return new Command('run')
    .description('The daemon: polls, detects, delivers, serves the admin interface until SIGTERM or SIGINT')
    .addOption(configOption())
    .action(async ({ config: file }: { config: string }) => {
      const opened = await openService(file, context, { command: 'run', patience: ENDLESS_PATIENCE })
      const { live, log } = opened
      await using service = opened.service
      const server = await service.serve()
      if (server !== null) context.stdout.write(`admin interface on ${server.url}\n`)
      const { accounts, subscriptions } = live.config
      const counts = { accounts: accounts.length, subscriptions: subscriptions.length }
      log.info({ file, ...counts }, 'config.loaded')
      await Promise.all([service.run(context.signal), followConfig({ file, context, service, live, log })])
      log.info('run.stopped')
    })
}
