#!/usr/bin/env node
// Plain JavaScript that any Node can parse: it checks the version, then loads the TypeScript source in a clone,
// or what the build made of it in the published package (Node strips no types under node_modules).
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import * as module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Before anything else: as the first process of a container a daemon has no handler but its own, and what it has none for is lost. To
// any other a signal that comes before its program is loaded is the end, as it is without this.
const stop = new AbortController()
const isDaemon = process.argv[2] !== 'complete' && process.argv.includes('run')
if (isDaemon) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort())
  // Until the daemon listens, loading must outlive a request to reload.
  process.on('SIGHUP', () => undefined)
}

const NEEDED = [22, 20]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// What releases resources at the end of a block Node 22 cannot read: of a clone it runs what the build made.
const isOlder = major < 24 && existsSync(new URL('./main.ts', import.meta.url))
const isBuilt = isOlder && existsSync(new URL('../dist/main.js', import.meta.url))

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `shipbell needs Node.js ${NEEDED.join('.')} or newer, but this is ${process.versions.node} (${process.execPath}): ` +
      'install a newer Node.js (in a clone, `npm ci` brings one that `npx shipbell` uses).\n',
  )
  process.exitCode = 2
} else if (isOlder && !isBuilt) {
  process.stderr.write(
    `shipbell in a clone needs Node.js 24, or to be built, and this is ${process.versions.node} (${process.execPath}): ` +
      'run `npm run build`, or use a newer Node.js (`npm ci` brings one that `npx shipbell` uses).\n',
  )
  process.exitCode = 2
} else {
  // What has come is heard before the process begins again, which would forget it.
  if (isDaemon) await new Promise((resolve) => setImmediate(resolve))
  if (isDaemon && !stop.signal.aborted) beginAgainWithRoom()
  // What a process holds beside the program: its reading plan (some 320 bytes for each tracked item), 6 MB of SQLite's pages, and
  // garbage, which is kept small here.
  // Young objects get 8 MB of a command and not up to 128, in which a poller would gather what pages leave behind: that space
  // grows once, fourfold, while the first modules are loaded, and then no more. A daemon's grows in a burst (`app/young-room.ts`).
  const isSized = process.execArgv.some((each) => each.startsWith('--max-semi-space-size'))
  setFlagsFromString(`--semi-space-growth-factor=${isSized ? 1 : 4}`)
  // Old ones are looked through once they have doubled: a poller's are few and stay. Answers that grew old unread hold bytes
  // outside of the heap, where what was once taken is seldom given back. Looks at a growth of a quarter would save another
  // 40 MB of 216, for two fifths more CPU in a pass that finds changes.
  setFlagsFromString('--heap-growing-percent=100')
  // The parser of HTTP answers is WebAssembly, one huge function. To compile it a second time, optimised, takes 25 MB for a moment,
  // of which the C library keeps some, and saves nothing that can be measured.
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  // What a shell asks at every Tab needs none of the commands.
  const entry = process.argv[2] === 'complete' ? 'complete' : 'main'
  const source = new URL(`./${entry}.ts`, import.meta.url)
  const isClone = !isBuilt && existsSync(source)
  // Node keeps what it read from that cache for as long as it lives: 6 MB, for some 20 ms of a start. A daemon takes the time. In a
  // clone what is kept saves stripping types, which takes more.
  if (!isDaemon || isClone) keepCompiled()
  const program = isClone ? source : new URL(`../dist/${entry}.js`, import.meta.url)
  findByName(new URL('.', program).href, isClone ? ['.ts', 'module-typescript'] : ['.js', 'module'])
  const { main } = await import(program.href)
  setFlagsFromString('--semi-space-growth-factor=1')
  await main(process, stop.signal)
}

/**
 * Keeps what is compiled for the next start, where the user alone may write: Node runs it as it is found. The folder that Node itself
 * would choose is one of all users: it belongs to whoever came first, and for everybody else nothing is kept there.
 */
function keepCompiled() {
  if (module.getCompileCacheDir() !== undefined) return
  const user = process.geteuid?.()
  const folder = join(tmpdir(), user === undefined ? 'shipbell-compiled' : `shipbell-compiled-${user}`)
  if (isOwnFolder(folder, user)) module.enableCompileCache(folder)
}

/** Whether a folder, made where there is none, is one that only `user` may write. */
function isOwnFolder(folder, user) {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch {
    // Another command makes it at this moment, or nothing can be kept.
  }
  try {
    const found = lstatSync(folder)
    return found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o022) === 0))
  } catch {
    return false
  }
}

/**
 * Files of ours are where the names say that import them. For each of some hundreds Node would look for links and a package on its way,
 * which is up to a fifth of a command.
 */
function findByName(folder, [ending, format]) {
  module.registerHooks({
    resolve: (name, context, next) =>
      name.startsWith('.') && name.endsWith(ending) && context.parentURL?.startsWith(folder)
        ? { url: new URL(name, context.parentURL).href, format, shortCircuit: true }
        : next(name, context),
  })
}

/**
 * V8 gives room for young objects back while little is made, down to 1 MB, and where it grows by a factor of 1 it takes none again: a
 * daemon that has rested would look for garbage after each half megabyte, and what is under way would grow old. The least and the most
 * are set by flags of the command line alone, so the process begins once more, under the same number. What a parent talks with
 * over a channel would lose that, the first process of a container would be deaf to signals until Node has started again, and Windows
 * has no such call: there it stays as it was started. Whoever names a size gets that, as the image of this repository does.
 * With four times as much from the start 30 MB more stay taken; only in a burst that saves a tenth of the processor. Before Node 24
 * each thread that starts makes V8 forget that nothing is to grow: there a burst has as little as all else.
 * One arena is enough for the C library: with the usual one for each thread 20 MB more stay taken.
 */
function beginAgainWithRoom() {
  const flag = '--min-semi-space-size'
  const isSet = process.execArgv.some((each) => each.startsWith(flag))
  if (process.execve === undefined || process.channel !== undefined || process.pid === 1 || isSet) return
  const sizes = [`${flag}=4`, `--max-semi-space-size=${major < 24 ? 4 : 16}`]
  const words = [process.argv0, ...sizes, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, words, { MALLOC_ARENA_MAX: '1', ...process.env })
}
