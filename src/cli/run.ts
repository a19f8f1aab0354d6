import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import type { Service } from '../app.ts'
import { WakeSignal } from '../wake-signal.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { loadConfig, errorLines, requireLoaded } from '../config/load-config.ts'
import { covers, digestSources, type Sources } from '../config/source-files.ts'
import type { ConfigurationState } from '../model/configuration-state.ts'
import { ShipbellError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { CommandContext } from './command-context.ts'
import { openService, type OpenedService } from './open-service.ts'
import { configOption } from './options.ts'

export function runCommand(context: CommandContext): Command {
  return new Command('run')
    .description('The daemon: polls, detects, delivers, serves the admin interface until SIGTERM or SIGINT')
    .addOption(configOption())
    .action(async ({ config: file }: { config: string }) => {
      const { config, sources } = requireLoaded(file, context)
      const opened = await openedUnlessStopped(config, context)
      if (opened === null) return
      const { live, log } = opened
      await using service = opened.service
      const server = await service.serve()
      if (server !== null) context.stdout.write(`admin interface on ${server.url}\n`)
      const { accounts, subscriptions } = live.config
      const counts = { accounts: accounts.length, subscriptions: subscriptions.length }
      log.info({ file, ...counts }, 'config.loaded')
      await runAndFollow({ file, context, service, live, log, sources })
      log.info('run.stopped')
    })
}

/** null: it was stopped while it waited for its database. */
async function openedUnlessStopped(config: Config, context: CommandContext): Promise<OpenedService | null> {
  const { signal } = context
  try {
    return await openService(config, context, { command: 'run', waiting: signal })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** Where one of the two fails, the other ends too. */
async function runAndFollow(options: FollowOptions): Promise<void> {
  const { context, service } = options
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  const both = [service.run(signal), followConfig({ ...options, context: { ...context, signal } })]
  try {
    await Promise.all(both)
  } finally {
    failed.abort()
    await Promise.allSettled(both)
  }
}

export interface FollowOptions {
  readonly file: string
  readonly context: CommandContext
  readonly service: Service
  readonly live: LiveConfig
  readonly log: Logger
  /** What the configuration in force was read from. */
  readonly sources: Sources
}

/** How often the files are looked at; a change counts once they stayed the same for as long: editors write in pieces. */
const LOOK_EVERY_MS = 1_000

/**
 * Reloads the configuration on SIGHUP and when one of the files it was read from changed, until the command ends. One that
 * cannot be used is reported and changes nothing.
 */
export async function followConfig(options: FollowOptions): Promise<void> {
  const { clock, signal } = options.context
  const hangUp = new WakeSignal()
  let asked = false
  options.context.onHangUp(() => {
    asked = true
    hangUp.notify()
  })
  let loaded = load(options, options.sources)
  let { done, state } = await apply(options, loaded, asked)
  while (!signal.aborted) {
    await hangUp.wait(clock, LOOK_EVERY_MS, signal)
    if (signal.aborted) return
    await options.service.follow(state).catch(() => undefined)
    if (!asked && done && digestSources(loaded.sources) === loaded.digest) continue
    if (!asked) await settled(options, loaded.sources)
    loaded = load(options, loaded.sources)
    ;({ done, state } = await apply(options, loaded, asked))
    asked = false
    // A store that cannot be written now is told at a later look.
    await options.service.follow(state).catch(() => undefined)
  }
}

interface Loaded {
  /** null: it cannot be used. */
  readonly config: Config | null
  /** Why not. */
  readonly problems: readonly string[]
  readonly sources: Sources
  readonly digest: string
}

const MOST_TRIES = 3

/** The configuration and the digest of exactly what it was read from. */
function load({ file, context }: FollowOptions, known: Sources): Loaded {
  let sources = known
  for (let tries = 1; ; tries += 1) {
    const digest = digestSources(sources)
    const read = tryLoad(file, context, sources)
    const whole = { ...read, digest: digestSources(read.sources) }
    if (tries === MOST_TRIES || (covers(sources, read.sources) && digestSources(sources) === digest)) return whole
    sources = read.sources
  }
}

function tryLoad(file: string, context: CommandContext, known: Sources): Omit<Loaded, 'digest'> {
  try {
    const { config, problems, sources } = loadConfig(file, { ...context, withoutWarnings: true })
    return { config, problems: errorLines(problems), sources }
  } catch (error) {
    if (!(error instanceof ShipbellError)) throw error
    return { config: null, problems: [error.message], sources: known }
  }
}

/** Waits until the files have stayed the same between two looks. */
async function settled({ context: { clock, signal } }: FollowOptions, sources: Sources): Promise<void> {
  for (let last = digestSources(sources); !signal.aborted;) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    const now = digestSources(sources)
    if (now === last) return
    last = now
  }
}

interface Applied {
  /** Whether there is nothing left to do about it. */
  readonly done: boolean
  readonly state: ConfigurationState
}

async function apply(options: FollowOptions, loaded: Loaded, asked: boolean): Promise<Applied> {
  const { file, live, log, service } = options
  const { config, digest, problems } = loaded
  const inForce = { file, rejected: null, restart: [] }
  if (config === null) {
    log.error({ file, problems, next: 'the configuration in force stays' }, 'config.rejected')
    return { done: true, state: { ...inForce, rejected: { problems, digest } } }
  }
  if (isDeepStrictEqual(config, live.config)) {
    if (asked) log.info({ file }, 'config.unchanged')
    return { done: true, state: inForce }
  }
  try {
    const restart = await service.reload(config)
    log.level = config.log.level
    const counts = { accounts: config.accounts.length, subscriptions: config.subscriptions.length }
    if (restart.length > 0) log.warn({ file, keys: restart }, 'config.restart_needed')
    log.info({ file, ...counts }, 'config.reloaded')
    return { done: true, state: { ...inForce, restart } }
  } catch (error) {
    log.error({ file, error: String(error), next: 'retry' }, 'config.reload_failed')
    return { done: false, state: inForce }
  }
}
