import { Command, CommanderError } from 'commander'
import { apiCommand } from './cli/api.ts'
import { checkCommand } from './cli/check.ts'
import type { CommandContext } from './cli/command-context.ts'
import { deliveriesCommand } from './cli/deliveries.ts'
import { demoCommand } from './cli/demo.ts'
import { eventsCommand } from './cli/events.ts'
import { holdsCommand } from './cli/holds.ts'
import { initCommand } from './cli/init.ts'
import { listenCommand } from './cli/listen.ts'
import { onceCommand } from './cli/once.ts'
import { planCommand } from './cli/plan.ts'
import { plannedCommands } from './cli/planned-commands.ts'
import { runCommand } from './cli/run.ts'
import { sandboxCommand } from './cli/sandbox.ts'
import { statusCommand } from './cli/status.ts'
import { subscriptionsCommand } from './cli/subscriptions.ts'
import { systemClock } from './clock.ts'
import { exitCodeOf, ShipbellError } from './errors.ts'
import { readVersion } from './version.ts'

const COMMANDS = [
  runCommand,
  onceCommand,
  checkCommand,
  initCommand,
  demoCommand,
  sandboxCommand,
  listenCommand,
  eventsCommand,
  deliveriesCommand,
  subscriptionsCommand,
  holdsCommand,
  statusCommand,
  planCommand,
  apiCommand,
] as const

/** Runs the command of `process.argv` and sets the exit code (contract section 1). */
export async function main(process: NodeJS.Process): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  // Unless the command knows better, the terminal is gone. To a daemon it says that its file changed, which it is yet to read.
  let hangUp = isDaemon(process) ? (): void => undefined : (): void => stop.abort()
  process.on('SIGHUP', () => hangUp())
  watchOutput(process)
  stopWithParent(process, stop)
  const context: CommandContext = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    signal: stop.signal,
    onHangUp: (handler) => {
      hangUp = handler
    },
    setExitCode: (code) => {
      process.exitCode = code
    },
  }
  const verbose = process.argv.includes('--verbose')
  try {
    await program(context).parseAsync(process.argv)
  } catch (error) {
    process.exitCode = report(error, { context, verbose })
  }
}

function isDaemon({ argv }: NodeJS.Process): boolean {
  return argv.slice(2).find((word) => !word.startsWith('-')) === 'run'
}

function program(context: CommandContext): Command {
  const root = new Command('shipbell')
    .description(
      'Turns a freight-forwarding platform that can only be polled into events: signed webhooks for every change.',
    )
    .version(readVersion())
    .option('--verbose', 'show stack traces of errors')
  for (const create of COMMANDS) root.addCommand(create(context))
  for (const command of plannedCommands()) root.addCommand(command, { hidden: true })
  settle(root, context)
  return root
}

/** Commander must neither exit nor write past the context, in any subcommand. */
function settle(command: Command, context: CommandContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
  })
  for (const child of command.commands) {
    if (child.options.every(({ long }) => long !== '--verbose'))
      child.option('--verbose', 'show stack traces of errors')
    settle(child, context)
  }
}

function report(error: unknown, { context, verbose }: { context: CommandContext; verbose: boolean }): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (context.signal.aborted && !(error instanceof ShipbellError)) {
    context.stderr.write('Interrupted before it was done.\n')
    return 3
  }
  const message = error instanceof Error ? error.message : String(error)
  const known = error instanceof ShipbellError
  context.stderr.write(
    known ? `${message}\n` : `shipbell failed unexpectedly: ${message} (run it again with --verbose and report it).\n`,
  )
  if (verbose && error instanceof Error) context.stderr.write(`${error.stack ?? ''}\n`)
  return exitCodeOf(error)
}

const PARENT_LOOK_MS = 500

/** `npx` and npm scripts start a shell that forwards no signal: when it is gone, so is whoever wanted this to run. */
function stopWithParent(process: NodeJS.Process, stop: AbortController): void {
  if (process.env.npm_execpath === undefined) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    stop.abort()
  }, PARENT_LOOK_MS)
  look.unref()
}

/** `shipbell events list | head` must end quietly; output that cannot be written is said in one sentence. */
function watchOutput(process: NodeJS.Process): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(
      `The output cannot be written (${error.code ?? error.message}): make room, or write it elsewhere.\n`,
    )
    process.exit(3)
  })
  process.stderr.on('error', () => undefined)
}
