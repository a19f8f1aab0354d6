import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { systemClock, type Clock } from '../../src/clock.ts'
import { NOW } from './sample-desk.ts'

const CHROMIUM = '/usr/bin/chromium'

/** Why no browser test runs here; null: they run. `.ci/run` installs it. */
export const NO_BROWSER = existsSync(CHROMIUM) ? null : `${CHROMIUM} is not installed: apt-get install chromium`

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser with an empty profile. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
}

/** Begins at the instant of the sample, and goes on as time does: a stream sleeps. */
export function clockOfBrowser(): Clock {
  const start = systemClock.now()
  return { ...systemClock, now: () => NOW + systemClock.now() - start }
}
