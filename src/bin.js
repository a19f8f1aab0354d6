#!/usr/bin/env node
// Plain JavaScript that any Node can parse: it checks the version, then loads the TypeScript source in a clone,
// or what the build made of it in the published package (Node strips no types under node_modules).
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const NEEDED = [22, 20]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `shipbell needs Node.js ${NEEDED.join('.')} or newer, but this is ${process.versions.node} (${process.execPath}): ` +
      'install a newer Node.js (in a clone, `npm ci` brings one that `npx shipbell` uses).\n',
  )
  process.exitCode = 2
} else {
  // Until the daemon listens, loading must outlive a request to reload.
  if (process.argv.includes('run')) process.on('SIGHUP', () => undefined)
  // What a process holds beside the program: its reading plan (some 320 bytes for each tracked item), 6 MB of SQLite's pages, and
  // garbage, which is kept small here.
  // Young objects get 8 MB and not up to 128, in which a poller would gather what pages leave behind: that space grows once,
  // fourfold, while the first modules are loaded, and then no more.
  setFlagsFromString('--semi-space-growth-factor=4')
  // Old ones are looked through once they have doubled: a poller's are few and stay. Answers that grew old unread hold bytes
  // outside of the heap, where what was once taken is seldom given back. Looks at a growth of a quarter would save another
  // 40 MB of 216, for two fifths more CPU in a pass that finds changes.
  setFlagsFromString('--heap-growing-percent=100')
  module.enableCompileCache()
  // What a shell asks at every Tab needs none of the commands.
  const entry = process.argv[2] === 'complete' ? 'complete' : 'main'
  const source = new URL(`./${entry}.ts`, import.meta.url)
  const { main } = await import(existsSync(source) ? source.href : new URL(`../dist/${entry}.js`, import.meta.url).href)
  setFlagsFromString('--semi-space-growth-factor=1')
  await main(process)
}
