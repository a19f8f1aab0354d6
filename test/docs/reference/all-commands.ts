import type { Command } from 'commander'
import { systemClock } from '../../../src/clock.ts'
import { wholeProgram } from '../../../src/main.ts'

const HELP_WIDTH = 100

/** The program with all its commands, which say their help as wide as a page. */
export async function allCommands(): Promise<Command> {
  const nowhere = { isTTY: false, paints: false, write: () => undefined }
  const root = await wholeProgram({
    stdout: nowhere,
    stderr: nowhere,
    env: {},
    cwd: '.',
    clock: systemClock,
    signal: new AbortController().signal,
    onHangUp: () => undefined,
    setExitCode: () => undefined,
  })
  return widened(root)
}

function widened(command: Command): Command {
  command.configureHelp({ helpWidth: HELP_WIDTH })
  for (const child of command.commands) widened(child)
  return command
}
