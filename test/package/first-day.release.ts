import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../docs/pages.ts'
import { guideOf, LANGUAGES } from '../docs/receivers/guide.ts'
import { RunningReceiver } from '../docs/receivers/running-receiver.ts'
import { RunningShipbell } from '../support/shipbell.ts'
import { env, run } from './run.ts'

/** One folder for both: a pack is a build, and an install takes as long as all that follows. */
let cwd = ''
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'shipbell-first-day-'))
  for (const source of ['', 'src/events'])
    run(path.join(ROOT, source), `npm pack --silent --workspaces=false --pack-destination "${cwd}"`)
  run(cwd, 'npm install --silent --ignore-scripts ./shipbell-[0-9]*.tgz')
  run(cwd, 'npx shipbell init > init.txt')
}, 600_000)
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

test('the tarball, installed into a bare folder without scripts, has all that the commands need', async () => {
  expect(run(cwd, 'npx shipbell --version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(readFileSync(path.join(cwd, 'init.txt'), 'utf8')).toContain('npx shipbell check')
  const installed = path.join(cwd, 'node_modules/shipbell')
  for (const folder of ['serve/assets', 'store/file/migrations', 'store/server/migrations'])
    expect(readdirSync(path.join(installed, 'dist', folder))).toEqual(readdirSync(path.join(ROOT, 'src', folder)))
  const child = spawn(process.execPath, [path.join(installed, 'src/bin.js'), 'demo'], { cwd, env })
  const demo = new RunningShipbell(child)
  const [, desk = ''] = await demo.prints(/^desk +(http:\S+)/m)
  await demo.prints(/account\.baseline_completed/)
  expect((await fetch(new URL('/desk.css', desk))).status).toBeLessThan(500)
  demo.kill('SIGTERM')
  await demo.ended
})

test('a bare folder and two tarballs: init, a schema for the editor, and a verified event in every language', async () => {
  run(cwd, 'npm install --silent --ignore-scripts ./shipbell-events-*.tgz && cp .env.example .env')
  // The example has a placeholder, of which `check` warns.
  expect(run(cwd, 'npx shipbell check')).toContain('`api_key` looks like a placeholder')
  expect(run(cwd, 'ACME_API_KEY=pk_83jd npx shipbell check')).toContain('shipbell.yaml is valid')
  expect(misfitsOf(cwd)).toEqual([])

  // As the last comment of the file says.
  run(cwd, `sed -i 's/^# \\(delivery:\\|  allow_networks:\\)/\\1/' shipbell.yaml`)
  const [, secret = ''] = /^ERP_SECRET=(whsec_\S+)$/m.exec(readFileSync(path.join(cwd, '.env'), 'utf8')) ?? []
  const modules = path.join(cwd, 'node_modules')
  const guides = LANGUAGES.map(guideOf).filter(({ missing }) => missing === null)
  expect(guides.length).toBeGreaterThan(0)
  for (const guide of guides) {
    using receiver = await RunningReceiver.start({ ...guide, modules }, { ERP_SECRETS: secret })
    const trigger = `npx shipbell trigger shipment.eta_changed --to ${receiver.url} --secret ${secret}`
    expect([guide.language, run(cwd, trigger)]).toEqual([guide.language, expect.stringContaining('answered 204')])
    await receiver.handles('shipment.eta_changed SHP-1 2')
  }
})

/** Configurations that the schema which `init` put beside the file does not take, and a misspelt one that it does. */
function misfitsOf(cwd: string): readonly string[] {
  const text = readFileSync(path.join(cwd, 'shipbell.yaml'), 'utf8')
  const [, name = ''] = /^# yaml-language-server: \$schema=\.\/(.+)\n/.exec(text) ?? []
  const isValid = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(path.join(cwd, name), 'utf8')))
  const folder = path.join(cwd, 'node_modules/shipbell/config')
  const names = readdirSync(folder).filter((each) => each.endsWith('.yaml'))
  const texts = [['shipbell.yaml', text], ...names.map((each) => [each, readFileSync(path.join(folder, each), 'utf8')])]
  const refused = texts.filter(([, each = '']) => !isValid(parse(each))).map(([each = '']) => each)
  return isValid(parse(text.replace('accounts:', 'acounts:'))) ? [...refused, 'a misspelt key'] : refused
}
