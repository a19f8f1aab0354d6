import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/clock.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'
import { worldShipment } from './world-shipment.ts'

const SHIPMENTS = 10
const DAY_MS = 86_400_000
const COVERAGE = 'coverage'
const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** The part of a V8 coverage report that is looked at. */
interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/**
 * How much of the program one changed ETA needs, start-up included: named functions that `shipbell once` calls, and the
 * files that hold them, by room. With `--files` each file is listed with its functions.
 */
export async function benchWalk(): Promise<string> {
  await using platform = await LoopbackPlatform.start()
  await using receiver = await LoopbackReceiver.start()
  using work = new Workplace()
  configure(work, { platform, receiver })
  platform.shipments = Array.from({ length: SHIPMENTS }, (_, n) => shipment(n, 30))
  await once(work)
  platform.shipments = [shipment(0, 31), ...platform.shipments.slice(1)]
  work.environment = { NODE_V8_COVERAGE: path.join(work.folder, COVERAGE) }
  await once(work)
  const rung = receiver.events.map(({ type }) => type)
  if (rung.join() !== 'shipment.eta_changed') throw new Error(`heard ${rung.join()} in place of one changed ETA`)
  const called = calledFunctions(path.join(work.folder, COVERAGE))
  return [...describe(called), ...(process.argv.includes('--files') ? listFiles(called) : [])].join('\n')
}

function configure(
  work: Workplace,
  { platform, receiver }: { readonly platform: LoopbackPlatform; readonly receiver: LoopbackReceiver },
): void {
  work.write(
    'shipbell.yaml',
    `accounts:
  acme:
    base_url: ${platform.url}
    api_key: ${API_KEY}
    watch: { shipments: { every: 2m } }
subscriptions:
  erp: { url: "${receiver.url}/hook", secret: ${SECRET}, events: ["*"] }
delivery: { allow_networks: [127.0.0.0/8] }
`,
  )
}

async function once(work: Workplace): Promise<void> {
  const { code, stderr } = await work.run('once')
  if (code !== 0) throw new Error(stderr)
}

/** The nth shipment, which arrives in so many days. */
function shipment(n: number, days: number): JsonObject {
  const date = new Date(systemClock.now() + days * DAY_MS).toISOString()
  return { ...worldShipment(n), main_tracking_dates: { arrival_date: { date, status: 'estimated' } } }
}

/** By file of `src`: what was called there at least once and has a name. */
function calledFunctions(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const called = new Map<string, Set<string>>()
  for (const report of readdirSync(folder)) {
    const { result }: Coverage = JSON.parse(readFileSync(path.join(folder, report), 'utf8'))
    for (const { url, functions } of result) {
      if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(SRC)) continue
      const file = fileURLToPath(url).slice(SRC.length)
      const names = called.get(file) ?? new Set()
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges
        if (functionName !== '' && whole !== undefined && whole.count > 0)
          names.add(`${functionName}:${whole.startOffset}`)
      }
      if (names.size > 0) called.set(file, names)
    }
  }
  rmSync(folder, { recursive: true })
  return called
}

function describe(called: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const rooms = new Map<string, { functions: number; files: number }>()
  for (const [file, { size }] of called) {
    const room = file.includes('/') ? file.slice(0, file.indexOf('/')) : '(top)'
    const sum = rooms.get(room) ?? { functions: 0, files: 0 }
    rooms.set(room, { functions: sum.functions + size, files: sum.files + 1 })
  }
  const all = [...called.values()].reduce((sum, { size }) => sum + size, 0)
  return [
    `the walk of one changed ETA: ${all} named functions in ${called.size} files (bar 1,150 in 250, aim 1,000 in 220)`,
    ...[...rooms]
      .toSorted(([, a], [, b]) => b.functions - a.functions)
      .map(([room, { functions, files }]) => `  ${room.padEnd(9)} ${functions} in ${files}`),
  ]
}

function listFiles(called: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return [...called]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `${file} ${names.size}: ${[...names].map((name) => name.split(':')[0]).join(' ')}`)
}
