import type { LiveConfig } from '../config/live-config.ts'
import { createLogger, type Logger } from '../log.ts'
import type { Progress } from '../app.ts'
import type { CommandContext } from './command-context.ts'
import { createProgressBar } from './progress-bar.ts'

/** Logs go to stderr, readable on a terminal and JSON elsewhere; a baseline shows its progress beside them. */
export async function openCommandLog(
  live: LiveConfig,
  context: CommandContext,
): Promise<{ readonly log: Logger; readonly progress: Progress }> {
  const { stderr } = context
  const isTerminal = stderr.isTTY === true
  const bar = isTerminal ? createProgressBar(stderr) : null
  const log = createLogger({
    level: live.config.log.level,
    pretty: isTerminal && (await import('pino-pretty')).prettyFactory,
    colour: isTerminal && context.env.NO_COLOR === undefined,
    secrets: () => live.secrets,
    write: (line) => {
      bar?.clear()
      stderr.write(line)
      bar?.draw()
    },
  })
  return { log, progress: bar?.show ?? createProgressLog(log, context) }
}

const EVERY_MS = 3_000

/** Without a terminal, a line every few seconds says how far a baseline is. */
function createProgressLog(log: Logger, { clock }: CommandContext): Progress {
  const last = new Map<string, number>()
  return (progress) => {
    const key = `${progress.account} ${progress.watch}`
    const now = clock.now()
    if (now - (last.get(key) ?? now - EVERY_MS) < EVERY_MS) return
    last.set(key, now)
    const { account, watch, done, total } = progress
    log.info({ account, resource: watch, done, total }, 'poll.baseline')
  }
}
