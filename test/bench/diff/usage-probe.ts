import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** What a process has used when it ends, all threads of it. */
export interface Usage {
  readonly cpuMs: number
  readonly peakMb: number
}

/** In the program's folder. */
export const USAGE_FILE = 'usage.json'

// Loaded into the program before its own code.
if (isMainThread)
  process.on('exit', () => {
    const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
    const usage: Usage = { cpuMs: (userCPUTime + systemCPUTime) / 1_000, peakMb: maxRSS / 1_024 }
    writeFileSync(USAGE_FILE, JSON.stringify(usage))
  })
