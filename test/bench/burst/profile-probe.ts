import { writeFileSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector/promises'
import { isMainThread } from 'node:worker_threads'

/** Loaded into the program before its own code: SIGUSR2 starts a CPU profile of its main thread, and the next one writes it down. */
export interface Profiled {
  readonly profile: Profiler.Profile
  /** User and system time of that thread meanwhile. */
  readonly threadMs: number
}

/** In the program's folder. */
export const PROFILE_FILE = 'profile.json'
const INTERVAL_US = 500

let running: { readonly session: Session; readonly start: NodeJS.CpuUsage } | null = null

async function toggle(): Promise<void> {
  if (running !== null) {
    const { session, start } = running
    running = null
    const { system, user } = process.threadCpuUsage(start)
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    writeFileSync(PROFILE_FILE, JSON.stringify({ profile, threadMs: (user + system) / 1_000 } satisfies Profiled))
    return
  }
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await session.post('Profiler.start')
  running = { session, start: process.threadCpuUsage() }
}

if (isMainThread) process.on('SIGUSR2', () => void toggle())
