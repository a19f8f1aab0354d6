import { Command } from 'commander'
import { ENDLESS_PATIENCE, Service } from '../app.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { openCommandLog } from './command-log.ts'
import { requireConfig } from '../config/require-config.ts'

export function runCommand(context: CommandContext): Command {
  return new Command('run')
    .description('The daemon: polls, detects, delivers, serves the admin interface until SIGTERM or SIGINT')
    .addOption(configOption())
    .action(async ({ config: file }: { config: string }) => {
      const config = requireConfig(file, context)
      const { log, progress } = openCommandLog(config, context)
      const { clock, signal } = context
      await using service = await Service.open({
        config,
        clock,
        log,
        random: Math.random,
        command: 'run',
        progress,
        patience: ENDLESS_PATIENCE,
      })
      const server = await service.serve()
      if (server !== null) context.stdout.write(`admin interface on ${server.url}\n`)
      const counts = { accounts: config.accounts.length, subscriptions: config.subscriptions.length }
      log.info({ file, ...counts }, 'config.loaded')
      await service.run(signal)
      log.info('run.stopped')
    })
}
