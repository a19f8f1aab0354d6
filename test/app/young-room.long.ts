import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/**
 * Makes 64 MB of objects of which each lives for the time of 4 MB, and says how large the room for young ones is by then: before and
 * after a thread, and in a burst.
 */
const PROGRAM = `
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  setFlagsFromString('--semi-space-growth-factor=1')
  const { YoungRoom } = await import(process.argv[1])
  const kept = Array.from({ length: 4_096 })
  const work = () => {
    for (let made = 0; made < 65_536; made += 1) kept[made % kept.length] = Array.from({ length: 120 }, () => made)
    return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20
  }
  const clock = { after: () => ({ [Symbol.dispose]: () => undefined }) }
  const sizes = [work()]
  await once(new Worker('0', { eval: true }), 'exit')
  sizes.push(work())
  const young = new YoungRoom(clock)
  young.attempted({ rows: { length: 100 } })
  sizes.push(work())
  console.log(JSON.stringify(sizes))`

const isHeeded = Number(process.versions.node.split('.')[0]) >= 24

test.skipIf(!isHeeded)(
  'V8 does as it is told: the room grows in a burst, and not before, whatever threads start',
  async () => {
    const module = new URL('../../src/app/young-room.ts', import.meta.url).href
    const flags = ['--min-semi-space-size=1', '--max-semi-space-size=8']
    const words = [...flags, '--input-type=module', '-e', PROGRAM, module]
    const { stdout } = await promisify(execFile)(process.execPath, words)
    expect(JSON.parse(stdout)).toEqual([2, 2, 16])
  },
)
