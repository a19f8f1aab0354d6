import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Problem } from '../config/problem.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { painter, terminalLines, type Paint } from './terminal.ts'

export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description('Validate the configuration and print every problem; no network')
    .addOption(configOption())
    .addOption(jsonOption('one JSON document: the list of problems'))
    .addOption(templateOption())
    .action(({ config: file, ...options }: JsonOptions & { readonly config: string }) => {
      const { config, problems } = loadConfig(file, context)
      const json = jsonOutput(context, options)
      if (json !== null) json.document(problems.map(problemJson))
      else
        context.stdout.write(
          config !== null && problems.length === 0
            ? allRight(file, config)
            : asInvoked(problems.map((each) => problemLine(each, painter(context))).join(''), context),
        )
      if (json === null && config !== null && problems.length > 0)
        context.stderr.write(allRight(file, config, problems.length))
      context.setExitCode(config === null ? 2 : 0)
    })
}

function problemLine({ file, line, column, message, severity }: Problem, paint: Paint): string {
  const kind = severity === 'warning' ? paint('yellow', 'warning: ') : ''
  return `${paint('bold', terminalLines(`${file}:${line}:${column}:`))} ${kind}${terminalLines(message)}\n`
}

function problemJson({ file, line, column, message, severity }: Problem): object {
  return { file, line, column, severity, message }
}

function allRight(file: string, { accounts, subscriptions }: Config, warnings = 0): string {
  const said = [counted(accounts.length, 'account'), counted(subscriptions.length, 'subscription')]
  if (warnings > 0) said.push(counted(warnings, 'warning'))
  return `${file} is valid: ${said.join(', ')}.\n`
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
