import { chmodSync, existsSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
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

it.skipIf(process.platform === 'win32')(
  'a store that others may read is taken from them when the daemon or `once` opens it, with all that lies beside it',
  async () => {
    using place = new Workplace()
    place.write('shipbell.yaml', EMPTY)
    const store = leftStore(place)
    // Another process has it open, so that its log files are there, as an older umask left them.
    await using reader = openStore({ path: store })
    await reader.endpoints()
    const files = [store, `${store}-wal`, `${store}-shm`, `${store}.lock`].filter((file) => existsSync(file))
    expect(files).toHaveLength(4)
    for (const file of files) chmodSync(file, 0o644)
    const { code, stderr } = await place.run('once')
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('store.exposed')])
    expect(files.map((file) => (statSync(file).mode & 0o777).toString(8))).toEqual(['600', '600', '600', '600'])
  },
)
