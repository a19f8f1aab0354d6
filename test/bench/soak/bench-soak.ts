import { parseArgs } from 'node:util'
import { describeSoak, soak } from './soak.ts'

const EVENTS_PER_SECOND = 50
const RELOAD_EVERY_MS = 60_000

/** `--minutes 15` says for how long. */
export async function benchSoak(): Promise<string> {
  const options = { minutes: { type: 'string', default: '15' } } as const
  const { values } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true })
  const minutes = Number(values.minutes)
  return describeSoak(await soak({ minutes, eventsPerSecond: EVENTS_PER_SECOND, reloadEveryMs: RELOAD_EVERY_MS }))
}
