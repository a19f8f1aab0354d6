import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'
import { EMPTY, leftStore } from './left-store.ts'

it.skipIf(process.getuid?.() !== 0)(
  'a store that others may read is said once where it is another user’s',
  async () => {
    using place = new Workplace()
    place.write('shipbell.yaml', EMPTY)
    const store = leftStore(place)
    chmodSync(place.folder, 0o777)
    for (const file of [store, `${store}.lock`]) chmodSync(file, 0o666)
    const { code, stderr } = await place.runAs(65_534, 'once')
    expect(code).toBe(0)
    const lines = stderr.split('\n').filter((line) => line.includes('store.exposed'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, files: [store, `${store}.lock`] }),
    ])
  },
)
