import { lockStore } from '../../src/store/file/store-lock.ts'

/** A child process of `store-lock.test.ts`: takes the lock of the store it is given, says so, and holds it until it ends. */
const path = process.argv[2] ?? ''
const holder = { pid: process.pid, command: 'shipbell run -c a.yaml', since: '2026-11-21T08:00:00.000Z', host: 'box' }
const lock = lockStore(path, holder)
process.stdout.write('held\n')
process.stdin.resume()
process.stdin.on('end', () => {
  lock[Symbol.dispose]()
})
