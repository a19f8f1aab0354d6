import type { Command } from 'commander'
import { asInvoked, configFileIn, type CommandContext } from '../../src/cli/command-context.ts'
import { terminalOutput } from '../../src/cli/terminal.ts'
import type { Clock } from '../../src/clock.ts'
import { exitCodeOf } from '../../src/errors.ts'
import { FakeClock } from '../support/fake-clock.ts'

export interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly isTTY?: boolean
  /** What Ctrl-C aborts. */
  readonly signal?: AbortSignal
}

export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  /** What the command wrote there, or the sentence it failed with. */
  readonly stderr: string
}

/** Runs one command as `main` would, in this process. */
export async function runCommand(
  create: (context: CommandContext) => Command,
  args: readonly string[],
  { cwd, env = {}, clock = new FakeClock(), isTTY = false, signal = new AbortController().signal }: Surroundings,
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  let exitCode = 0
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (text: string) => {
      written[name] += text
    },
  })
  const context: CommandContext = {
    stdout: terminalOutput(stream('stdout')),
    stderr: terminalOutput(stream('stderr')),
    env,
    cwd,
    configFile: configFileIn(args),
    clock,
    signal,
    onHangUp: () => undefined,
    setExitCode: (code) => {
      exitCode = code
    },
  }
  try {
    await quiet(create(context)).parseAsync(args, { from: 'user' })
  } catch (error) {
    exitCode = exitCodeOf(error)
    written.stderr += asInvoked(error instanceof Error ? error.message : String(error), context)
  }
  return { exitCode, ...written }
}

function quiet(command: Command): Command {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  for (const child of command.commands) quiet(child)
  return command
}
