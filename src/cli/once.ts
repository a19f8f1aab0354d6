import { Command } from 'commander'
import type { OnceReport } from '../app/once-report.ts'
import { requireConfig } from '../config/load-config.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { openService } from './open-service.ts'
import { terminalText } from './terminal.ts'

/** Nobody waits at a terminal or in a cron job for a platform that is down or asks for a longer pause. */
const PATIENCE = { failures: 3, waitMs: 60_000 }

const LONGEST_REASON = 1_000

export function onceCommand(context: CommandContext): Command {
  return new Command('once')
    .description('One full pass over everything watched, then delivers what is due, then exits')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async ({ config: file, ...options }: { config: string } & JsonOptions) => {
      const opened = await openService(requireConfig(file, context), context, { command: 'once', patience: PATIENCE })
      await using service = opened.service
      const report = await service.once(context.signal)
      const json = jsonOutput(context, options)
      if (json !== null) json.document(report)
      else context.stdout.write(asInvoked(describe(report), context))
      context.setExitCode(exitCode(report))
    })
}

function exitCode(report: OnceReport): 0 | 1 | 3 {
  if (report.passes.some(({ incomplete }) => incomplete !== null)) return 3
  return report.undelivered > 0 ? 1 : 0
}

function describe(report: OnceReport): string {
  const lines = report.passes.map(({ account, resource, incomplete }) =>
    incomplete === null
      ? `${account} ${resource}: read`
      : `${account} ${resource}: incomplete: ${terminalText(incomplete, LONGEST_REASON)}`,
  )
  const ledger =
    report.undelivered === 0
      ? 'nothing undelivered'
      : `${report.undelivered} undelivered (\`shipbell deliveries list --undelivered\`)`
  const waits =
    report.waiting === 0 ? [] : [`${report.waiting} waiting for the hour of a digest or the end of quiet hours`]
  return `${[...lines, ledger, ...waits].join('\n')}\n`
}
