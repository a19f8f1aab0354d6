import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Arena, type Missing, type Side, SHIPMENTS } from './side.ts'

/** Of `/proc`, on every Linux that Node runs on. */
const TICK_MS = 10

/**
 * A job for each shipment, as it compares documents by their lines; it tells of all in one text, which it cuts for Slack. It is a
 * process for each round, as cron starts it.
 */
export async function urlwatchSide(arena: Arena): Promise<Side | Missing> {
  if (spawnSync('urlwatch', ['--version']).status !== 0) {
    return { missing: 'urlwatch: left out. Install it from your system (Debian: `apt-get install urlwatch`)' }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-urlwatch-'))
  const file = (name: string): string => path.join(folder, name)
  const jobs = Array.from({ length: SHIPMENTS }, (_, n) => `name: "SHP-${n}"\nurl: "${arena.url}/one/${n}"\n`)
  writeFileSync(file('urls.yaml'), jobs.join('---\n'))
  writeFileSync(file('urlwatch.yaml'), configOf(arena.url))
  const options = [
    `--urls=${file('urls.yaml')}`,
    `--config=${file('urlwatch.yaml')}`,
    `--cache=${file('cache.db')}`,
    `--hooks=${file('hooks.py')}`,
  ]
  const run = async (): Promise<number> => {
    const before = childrenCpuMs()
    const child = spawn('urlwatch', options, { stdio: 'ignore', env: { PATH: process.env.PATH, HOME: folder } })
    await once(child, 'close')
    return childrenCpuMs() - before
  }
  await run()
  return {
    name: 'urlwatch (one text for all, shown in parts)',
    rounds: 1,
    isNewEachRound: true,
    round: async () => {
      await arena.change()
      const cpuMs = await run()
      const { firstAt, lastAt } = await arena.sees(({ posts }) => posts > 0)
      return { cpuMs, wallMs: lastAt - firstAt }
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function configOf(url: string): string {
  const off = { enabled: false }
  return JSON.stringify({
    display: { new: false, error: true, unchanged: false },
    report: {
      text: { line_length: 75, details: true, footer: false, minimal: false },
      stdout: off,
      email: off,
      slack: { enabled: true, webhook_url: `${url}/slack`, max_message_length: 40_000 },
    },
    job_defaults: { all: {}, url: {}, shell: {}, browser: {} },
  })
}

/** User and system time of all processes that this one started and that have ended. */
function childrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}
