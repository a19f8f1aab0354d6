import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { Connection } from '../../../src/store/file/connection.ts'

/** Loaded into the program before its own code: times every transaction, and how long the event loop was held up. */
export interface Seen {
  /** The longest since the last message, each by where it was begun, the longest first. */
  readonly queries: readonly SlowQuery[]
  /** Milliseconds that the loop came late by, whatever held it up: 99 %, and the most. */
  readonly loopP99: number
  readonly loopMost: number
  /** What the process used since its start: user and system. */
  readonly cpuMs: number
}

export interface SlowQuery {
  readonly name: string
  /** The longest, by the clock and by the processor; of different runs, maybe. */
  readonly ms: number
  readonly cpuMs: number
  /** Of a millisecond and more. */
  readonly runs: number
}

/** Shorter ones are not told apart. */
const LEAST_MS = 1
const TOLD = 40

/** In the program's folder: what another thread noted since the last look. */
const OTHERS = 'probe.jsonl'

const slowest = new Map<string, SlowQuery>()
const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()

const { value: transact } = Object.getOwnPropertyDescriptor(Connection.prototype, 'transact') ?? {}
Connection.prototype.transact = function timed(this: Connection, ...call) {
  const [start, used] = [performance.now(), cpuMs()]
  try {
    return transact.apply(this, call)
  } finally {
    const ms = performance.now() - start
    const [begin] = call
    if (ms >= LEAST_MS) {
      const name = `${begin === 'BEGIN' ? 'read' : 'write'} ${callerOf(new Error().stack ?? '')}`
      note({ name, ms, cpuMs: cpuMs() - used })
    }
  }
}

/** Of this thread alone: a busy machine adds nothing to it. */
function cpuMs(): number {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The methods of the store that led to a transaction. */
function callerOf(stack: string): string {
  const frames = stack.split('\n').slice(1)
  const named = frames.flatMap(
    (frame) =>
      /at (?:async )?(?:Object\.|new )?([\w.<>#]+) \(.*\/src\/(.*)\.ts/.exec(frame)?.slice(1, 3).join(' ') ?? [],
  )
  return named
    .filter((name) => !name.includes('/connection'))
    .slice(0, 2)
    .join(' < ')
}

type Noted = Omit<SlowQuery, 'runs'>

function note(query: Noted): void {
  if (isMainThread) keep(query)
  else appendFileSync(OTHERS, `${JSON.stringify({ ...query, name: `thread: ${query.name}` } satisfies Noted)}\n`)
}

function keep({ cpuMs: cpu, ms, name }: Noted): void {
  const known = slowest.get(name)
  const [most, mostCpu] = [Math.max(ms, known?.ms ?? 0), Math.max(cpu, known?.cpuMs ?? 0)]
  slowest.set(name, { name, ms: most, cpuMs: mostCpu, runs: (known?.runs ?? 0) + 1 })
}

function keepOthers(): void {
  if (!existsSync(OTHERS)) return
  const lines = readFileSync(OTHERS, 'utf8').trimEnd().split('\n')
  rmSync(OTHERS)
  for (const line of lines) {
    const noted: Noted = JSON.parse(line)
    keep(noted)
  }
}

if (isMainThread)
  process.on('message', () => {
    keepOthers()
    const queries = [...slowest.values()].toSorted((one, other) => other.cpuMs - one.cpuMs)
    const { system, user } = process.cpuUsage()
    process.send?.({
      queries: queries.slice(0, TOLD),
      loopP99: loop.percentile(99) / 1e6,
      loopMost: loop.max / 1e6,
      cpuMs: (user + system) / 1_000,
    } satisfies Seen)
    slowest.clear()
    loop.reset()
  })
// A bench that is killed leaves no daemon behind.
if (isMainThread) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The program ends when it would without this.
process.channel?.unref()
