import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Who holds a process to a share of a core: control groups of the kernel, as root, or Debian's package `cpulimit`. */
export type Limiter = 'the kernel' | 'cpulimit'

export interface CpuLimit {
  readonly by: Limiter
  /** Of one core. */
  readonly percent: number
}

const CPULIMIT = 'cpulimit'

const PERIOD_US = 100_000

/** Where groups are, and what says how many microseconds of a period their processes have; by the version of control groups. */
const ROOTS = [
  {
    root: '/sys/fs/cgroup/cpu',
    marks: 'cpu.cfs_quota_us',
    share: (us: number) => ({ 'cpu.cfs_period_us': `${PERIOD_US}`, 'cpu.cfs_quota_us': `${us}` }),
  },
  { root: '/sys/fs/cgroup', marks: 'cgroup.controllers', share: (us: number) => ({ 'cpu.max': `${us} ${PERIOD_US}` }) },
] as const

/** null: nobody can hold a process here. */
export function findLimiter(): Limiter | null {
  if (hasGroups()) return 'the kernel'
  return spawnSync('sh', ['-c', `command -v ${CPULIMIT}`]).status === 0 ? CPULIMIT : null
}

/** Holds a process to its share until that is disposed of. */
export function holdTo({ by, percent }: CpuLimit, pid: number): Disposable {
  return by === 'the kernel' ? inGroup(pid, percent) : stoppedAndContinued(pid, percent)
}

function hasGroups(): boolean {
  try {
    using _ = inGroup(null, 100)
    return true
  } catch {
    return false
  }
}

function membersOf(group: string): string {
  return path.join(group, 'cgroup.procs')
}

function inGroup(pid: number | null, percent: number): Disposable {
  const found = ROOTS.find(({ marks, root }) => existsSync(path.join(root, marks)))
  if (found === undefined) throw new Error('There are no control groups for processors.')
  const group = path.join(found.root, `shipbell-bench-${process.pid}-${pid ?? 'try'}`)
  mkdirSync(group)
  try {
    for (const [name, value] of Object.entries(found.share((PERIOD_US * percent) / 100)))
      writeFileSync(path.join(group, name), value)
    if (pid !== null) writeFileSync(membersOf(group), `${pid}`)
  } catch (error) {
    rmdirSync(group)
    throw error
  }
  return {
    [Symbol.dispose]: () => {
      try {
        if (pid !== null) writeFileSync(membersOf(found.root), `${pid}`)
      } catch {
        // It has ended.
      }
      rmdirSync(group)
    },
  }
}

/** It is stopped for a part of each tenth of a second. */
function stoppedAndContinued(pid: number, percent: number): Disposable {
  const limiter = spawn(CPULIMIT, ['-p', String(pid), '-l', String(percent)], { stdio: 'ignore' })
  return {
    [Symbol.dispose]: () => {
      limiter.kill('SIGKILL')
      try {
        process.kill(pid, 'SIGCONT')
      } catch {
        // It has ended.
      }
    },
  }
}
