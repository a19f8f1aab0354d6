import type { Command } from 'commander'
import { wholeProgram } from '../../../src/main.ts'
import { commandContext } from '../../support/command-context.ts'

const HELP_WIDTH = 100

/** The program with all its commands, which say their help as wide as a page. */
export async function allCommands(): Promise<Command> {
  return widened(await wholeProgram(commandContext()))
}

function widened(command: Command): Command {
  command.configureHelp({ helpWidth: HELP_WIDTH })
  for (const child of command.commands) widened(child)
  return command
}
