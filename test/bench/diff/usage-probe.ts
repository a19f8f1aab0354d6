import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { USAGE_FILE, type Usage } from './usage.ts'

// Loaded into the program before its own code, and by nothing else: whoever imports it leaves the file behind.
if (isMainThread)
  process.on('exit', () => {
    const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
    const usage: Usage = { cpuMs: (userCPUTime + systemCPUTime) / 1_000, peakMb: maxRSS / 1_024 }
    writeFileSync(USAGE_FILE, JSON.stringify(usage))
  })
