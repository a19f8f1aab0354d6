import { bringDisposableStacks } from './disposable-stacks.ts'
import { Command, CommanderError } from 'commander'
import { hasLeftBehind } from './app/otlp/left-behind.ts'
import { withBareJson } from './cli/bare-json.ts'
import { asInvoked, configFileIn, type CommandContext, type OutputStream } from './cli/command-context.ts'
import { terminalLines, terminalOutput } from './cli/terminal.ts'
import { followingClock, systemClock } from './clock.ts'
import { exitCodeOf, ShipbellError } from './errors.ts'
import { noteStart } from './invocation.ts'
import { cancelLookups } from './http/names/lookups.ts'
import { readVersion } from './version.ts'

bringDisposableStacks()

type CreateCommand = (context: CommandContext) => Command

/** Every command, in the order of the help. Each is loaded when it is asked for: a daemon needs no sandbox. */
const COMMANDS: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  run: async () => (await import('./cli/run.ts')).runCommand,
  once: async () => (await import('./cli/once.ts')).onceCommand,
  check: async () => (await import('./cli/check.ts')).checkCommand,
  init: async () => (await import('./cli/init.ts')).initCommand,
  demo: async () => (await import('./cli/demo.ts')).demoCommand,
  sandbox: async () => (await import('./cli/sandbox.ts')).sandboxCommand,
  trigger: async () => (await import('./cli/trigger.ts')).triggerCommand,
  listen: async () => (await import('./cli/listen.ts')).listenCommand,
  events: async () => (await import('./cli/events.ts')).eventsCommand,
  shipments: async () => (await import('./cli/shipments.ts')).shipmentsCommand,
  records: async () => (await import('./cli/records.ts')).recordsCommand,
  deliveries: async () => (await import('./cli/deliveries.ts')).deliveriesCommand,
  subscriptions: async () => (await import('./cli/subscriptions.ts')).subscriptionsCommand,
  expectations: async () => (await import('./cli/expectations.ts')).expectationsCommand,
  exceptions: async () => (await import('./cli/exceptions.ts')).exceptionsCommand,
  holds: async () => (await import('./cli/holds.ts')).holdsCommand,
  status: async () => (await import('./cli/status.ts')).statusCommand,
  plan: async () => (await import('./cli/plan.ts')).planCommand,
  diff: async () => (await import('./cli/diff.ts')).diffCommand,
  open: async () => (await import('./cli/open.ts')).openCommand,
  mcp: async () => (await import('./cli/mcp.ts')).mcpCommand,
  schema: async () => (await import('./cli/schema.ts')).schemaCommand,
  documents: async () => (await import('./cli/documents.ts')).documentsCommand,
  api: async () => (await import('./cli/api.ts')).apiCommand,
  backup: async () => (await import('./cli/backup.ts')).backupCommand,
  restore: async () => (await import('./cli/restore.ts')).restoreCommand,
  store: async () => (await import('./cli/store.ts')).storeCommand,
  completion: async () => (await import('./cli/completion.ts')).completionCommand,
}

/** How long a process that left something behind may still write what it said. */
const LAST_WORDS_MS = 500

/** Runs the command of `process.argv` and sets the exit code (guarantee C1). `stopped`: a daemon was told to end before it is loaded. */
export async function main(process: NodeJS.Process, stopped: AbortSignal): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    if (process.listenerCount(signal) === 0) process.once(signal, () => stop.abort())
  stopped.addEventListener('abort', () => stop.abort())
  if (stopped.aborted) return
  // Unless the command knows better, the terminal is gone. To a daemon it says that its file changed, which it is yet to read.
  let hangUp = isDaemon(process) ? (): void => undefined : (): void => stop.abort()
  process.on('SIGHUP', () => hangUp())
  stopWithParent(process, stop)
  const context: CommandContext = {
    stdout: terminalOutput(watchedOutput(process)),
    stderr: terminalOutput(process.stderr),
    writeBytes: (bytes) => void process.stdout.write(bytes),
    env: process.env,
    cwd: process.cwd(),
    configFile: configFileIn(process.argv.slice(2)),
    clock: followingClock(systemClock),
    signal: stop.signal,
    onHangUp: (handler) => {
      hangUp = handler
    },
    setExitCode: (code) => {
      process.exitCode = code
    },
  }
  noteStart(context)
  const verbose = process.argv.includes('--verbose')
  try {
    const root = await program(context, commandOf(process))
    await root.parseAsync(withBareJson(root, process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, { context, verbose })
  } finally {
    cancelLookups()
    if (hasLeftBehind()) setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
  }
}

function isDaemon(process: NodeJS.Process): boolean {
  return commandOf(process) === 'run'
}

/** The command that is run, or asked about. */
function commandOf({ argv }: NodeJS.Process): string | undefined {
  const [first, second] = argv.slice(2).filter((word) => !word.startsWith('-'))
  return first === 'help' ? second : first
}

/** The program with the command that is asked for; where there is none of that name, with all, of which the help tells. */
export async function program(context: CommandContext, asked: string | undefined): Promise<Command> {
  const load = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined
  if (load !== undefined) return programOf(context, [(await load())(context)])
  const { listedCommands } = await import('./cli/listed-commands.ts')
  return programOf(context, listedCommands())
}

/** The program with all its commands, loaded. */
export async function wholeProgram(context: CommandContext): Promise<Command> {
  const commands: Command[] = []
  for (const load of Object.values(COMMANDS)) commands.push((await load())(context))
  return programOf(context, commands)
}

function programOf(context: CommandContext, commands: readonly Command[]): Command {
  const root = new Command('shipbell')
    .description(
      'Turns a freight-forwarding platform that can only be polled into events: signed webhooks for every change.',
    )
    .version(readVersion())
    .option('--verbose', 'show stack traces of errors')
  for (const command of commands) root.addCommand(command)
  settle(root, context)
  return root
}

/** Commander must neither exit nor write past the context, in any subcommand; its errors say where to look. */
function settle(command: Command, context: CommandContext, name = 'shipbell'): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(terminalLines(text)),
    outputError: (text, write) => {
      const saysWhatToDo = text.includes('(Did you mean') || text.endsWith('.\n')
      write(saysWhatToDo ? text : asInvoked(`${text.trimEnd()}; \`${name} --help\` says what there is.\n`, context))
    },
  })
  for (const child of command.commands) {
    if (child.options.every(({ long }) => long !== '--verbose'))
      child.option('--verbose', 'show stack traces of errors')
    settle(child, context, `${name} ${child.name()}`)
  }
}

function report(error: unknown, { context, verbose }: { context: CommandContext; verbose: boolean }): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (context.signal.aborted && !(error instanceof ShipbellError)) {
    context.stderr.write('Interrupted before it was done.\n')
    return 3
  }
  const message = asInvoked(terminalLines(error instanceof Error ? error.message : String(error)), context)
  const known = error instanceof ShipbellError
  context.stderr.write(
    known ? `${message}\n` : `shipbell failed unexpectedly: ${message} (run it again with --verbose and report it).\n`,
  )
  if (verbose && error instanceof Error) context.stderr.write(`${terminalLines(error.stack ?? '')}\n`)
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

/**
 * Standard output. `shipbell events list | head` must end quietly, and what goes on ends once nobody reads it: Node's own stream stays
 * writable then. Output that cannot be written is said in one sentence.
 */
function watchedOutput(process: NodeJS.Process): OutputStream {
  const { stdout } = process
  let isRead = true
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      isRead = false
      return
    }
    process.stderr.write(
      `The output cannot be written (${error.code ?? error.message}): make room, or write it elsewhere.\n`,
    )
    process.exit(3)
  })
  process.stderr.on('error', () => undefined)
  return {
    isTTY: stdout.isTTY,
    get columns() {
      return stdout.columns
    },
    get writable() {
      return isRead
    },
    write: (text) => void stdout.write(text),
    cork: () => stdout.cork(),
    uncork: () => stdout.uncork(),
  }
}
