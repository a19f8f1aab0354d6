import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import type { Service } from '../app.ts'
import { Ping } from '../app/ping.ts'
import { readBeside } from '../app/config-thread/config-thread.ts'
import { turnTaking } from '../clock.ts'
import { WakeSignal } from '../wake-signal.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { requireLoaded } from '../config/load-config.ts'
import { digestInTurns, type Sources } from '../config/source-files.ts'
import type { WatchedConfig } from '../config/watched-config.ts'
import type { ConfigurationState } from '../model/configuration-state.ts'
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
      const ping = new Ping({ live, log, clock: context.clock, isReady: async () => (await service.readiness()).ready })
      await runAndFollow({ file, context, service, live, log, sources, ping })
      log.info('run.stopped')
    })
}

/** The service once it is open; null: it was stopped while it waited for its database. */
async function openedUnlessStopped(config: Config, context: CommandContext): Promise<OpenedService | null> {
  const { signal } = context
  try {
    return await openService(config, context, { command: 'run', waiting: signal })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** Where one of them fails, the others end too. */
async function runAndFollow(options: FollowOptions & { readonly ping: Ping }): Promise<void> {
  const { context, ping, service } = options
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  const followed = followConfig({ ...options, context: { ...context, signal } })
  const all = [service.run(signal), followed, ping.run(signal)]
  try {
    await Promise.all(all)
  } finally {
    failed.abort()
    await Promise.allSettled(all)
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
  /** Is told of every configuration that was put in force. */
  readonly ping?: Pick<Ping, 'reloaded'>
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
  let loaded = await load(options, options.sources)
  let { done, state } = await apply(options, loaded, asked)
  while (!signal.aborted) {
    await hangUp.wait(clock, LOOK_EVERY_MS, signal)
    if (signal.aborted) return
    await options.service.follow(state).catch(() => undefined)
    if (!asked && done && (await digestOf(options, loaded.sources)) === loaded.digest) continue
    if (!asked) await settled(options, loaded.sources)
    loaded = await load(options, loaded.sources)
    ;({ done, state } = await apply(options, loaded, asked))
    asked = false
    // A store that cannot be written now is told at a later look.
    await options.service.follow(state).catch(() => undefined)
  }
}

/** Reads the configuration beside everything else that is done. */
async function load({ file, context, live }: FollowOptions, known: Sources): Promise<WatchedConfig> {
  const { clock, cwd, env } = context
  return await readBeside({ file, cwd, env: { ...env }, known }, live.file, turnTaking(clock))
}

async function digestOf({ context: { clock } }: FollowOptions, sources: Sources): Promise<string> {
  return await digestInTurns(sources, turnTaking(clock))
}

/** Waits until the files have stayed the same between two looks. */
async function settled(options: FollowOptions, sources: Sources): Promise<void> {
  const { clock, signal } = options.context
  for (let last = await digestOf(options, sources); !signal.aborted;) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    const now = await digestOf(options, sources)
    if (now === last) return
    last = now
  }
}

interface Applied {
  /** Whether there is nothing left to do about it. */
  readonly done: boolean
  readonly state: ConfigurationState
}

async function apply(options: FollowOptions, loaded: WatchedConfig, asked: boolean): Promise<Applied> {
  const { file, live, log, ping, service } = options
  const { config, digest, problems } = loaded
  const inForce = { file, rejected: null, restart: [] }
  if (config === null) {
    log.error({ file, problems, next: 'the configuration in force stays' }, 'config.rejected')
    return { done: true, state: { ...inForce, rejected: { problems, digest } } }
  }
  if (isDeepStrictEqual(config, live.file)) {
    if (asked) log.info({ file }, 'config.unchanged')
    return { done: true, state: inForce }
  }
  try {
    const refusal = await service.refusal(config)
    if (refusal !== null) {
      log.error({ file, problems: [refusal], next: 'the configuration in force stays' }, 'config.rejected')
      return { done: true, state: { ...inForce, rejected: { problems: [refusal], digest } } }
    }
    const restart = await service.reload(config)
    ping?.reloaded()
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
