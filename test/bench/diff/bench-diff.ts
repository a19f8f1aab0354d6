import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Workplace } from '../../support/shipbell.ts'
import { DIFF_KINDS, DIFF_TEMPLATES, diffConfig, type DiffKind } from './diff-kinds.ts'
import { diffStore } from './diff-store.ts'
import { USAGE_FILE, type Usage } from './usage.ts'

const SIZES = [100_000, 1_000_000] as const
const SMALL = [2_000] as const
const PROBE = new URL('usage-probe.ts', import.meta.url).href

/** What `shipbell diff` takes of the processor and of memory, by what differs. `--small` shows that it runs. */
export async function benchDiff(): Promise<string> {
  const options = { small: { type: 'boolean', default: false } } as const
  const { small } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true }).values
  const sizes: readonly number[] = small ? SMALL : SIZES
  const logs: string[] = []
  for (const size of sizes) logs.push(await diffStore(size))
  const rows: string[] = []
  for (const kind of DIFF_KINDS) {
    const used: Usage[] = []
    for (const log of logs) used.push(await compared(kind, log))
    const seconds = used.map(({ cpuMs }) => (cpuMs / 1_000).toFixed(1)).join(', ')
    rows.push(`${kind.name}: ${seconds} s, ${used.map(({ peakMb }) => peakMb.toFixed(0)).join(', ')} MB`)
  }
  return `shipbell diff of ${sizes.join(' and ')} events, processor and peak memory:\n${rows.join('\n')}`
}

async function compared(kind: DiffKind, log: string): Promise<Usage> {
  using work = new Workplace()
  work.environment = { NODE_OPTIONS: `--import ${PROBE}` }
  for (const [file, text] of Object.entries(DIFF_TEMPLATES)) work.write(file, text)
  for (const side of ['old', 'new'] as const) work.write(`${side}.yaml`, diffConfig(kind[side], log))
  const { code, stderr } = await work.run('diff', 'old.yaml', 'new.yaml')
  if (code !== 0 && code !== 1) throw new Error(stderr)
  const usage: Usage = JSON.parse(readFileSync(path.join(work.folder, USAGE_FILE), 'utf8'))
  return usage
}
