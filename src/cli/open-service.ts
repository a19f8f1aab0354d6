import { Service, type ServiceOptions } from '../app.ts'
import type { BaselineProgress, Progress } from '../poll/account-context.ts'
import { LiveConfig } from '../config/live-config.ts'
import type { Config } from '../config/config.ts'
import { turnTaking } from '../clock.ts'
import { createLogger, type Logger } from '../log.ts'
import { prepareRedaction } from '../redact.ts'
import type { CommandContext, OutputStream } from './command-context.ts'
import { logLines } from './log-line.ts'
import { isColoured } from './terminal.ts'
import { writtenTogether } from './written-together.ts'

export interface OpenedService {
  readonly service: Service
  readonly live: LiveConfig
  readonly log: Logger
}

/** The service that a configuration describes, logging the way commands do. */
export async function openService(
  config: Config,
  context: CommandContext,
  how: Pick<ServiceOptions, 'command' | 'patience' | 'demo' | 'waiting'> & {
    readonly progress?: Progress
  },
): Promise<OpenedService> {
  const live = new LiveConfig(config)
  await prepareRedaction(live.secrets, turnTaking(context.clock))
  const { log, progress } = openCommandLog(live, context)
  const service = await Service.open({ progress, ...how, live, clock: context.clock, log, random: Math.random })
  return { service, live, log }
}

/** Logs go to stderr, readable on a terminal and JSON elsewhere; a baseline shows its progress beside them. */
function openCommandLog(
  live: LiveConfig,
  context: CommandContext,
): { readonly log: Logger; readonly progress: Progress } {
  const { stderr } = context
  const isTerminal = stderr.isTTY === true
  const bar = isTerminal ? createProgressBar(stderr) : null
  const log = createLogger({
    level: live.config.log.level,
    pretty: isTerminal && logLines,
    colour: isColoured(stderr, context.env),
    secrets: () => live.secrets,
    write: bar === null ? writtenTogether(stderr) : barredBy(bar, stderr),
  })
  return { log, progress: bar?.show ?? createProgressLog(log, context) }
}

function barredBy(bar: ProgressBar, stderr: OutputStream): (line: string) => void {
  return (line) => {
    bar.clear()
    stderr.write(line)
    bar.draw()
  }
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

interface ProgressBar {
  readonly show: Progress
  /** Takes the bar off the screen, for a line of log to be written. */
  clear(): void
  draw(): void
}

const WIDTH = 24
const CLEAR_LINE = '\r\u001B[2K'

/** One line at the bottom of a terminal with every baseline under way. */
function createProgressBar(stream: OutputStream): ProgressBar {
  const running = new Map<string, BaselineProgress>()
  const clear = (): void => {
    if (running.size > 0) stream.write(CLEAR_LINE)
  }
  const draw = (): void => {
    if (running.size > 0)
      stream.write(
        [...running.values()]
          .map(render)
          .join('   ')
          .slice(0, (stream.columns ?? 80) - 1),
      )
  }
  const show = (progress: BaselineProgress): void => {
    clear()
    const key = `${progress.account} ${progress.watch}`
    if (progress.total === progress.done) running.delete(key)
    else running.set(key, progress)
    draw()
  }
  return { show, clear, draw }
}

function render({ account, watch, done, total }: BaselineProgress): string {
  if (total === null) return `${account} ${watch} ${done}`
  const filled = Math.round((WIDTH * done) / Math.max(total, 1))
  return `${account} ${watch} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${total}`
}
