import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { scratchFolder } from '../config/scratch.ts'
import { ROOT } from '../docs/pages.ts'
import { guideOf, LANGUAGES } from '../docs/receivers/guide.ts'
import { RunningReceiver } from '../docs/receivers/running-receiver.ts'
import { run } from './run.ts'

test('a bare folder and two tarballs: init, a schema for the editor, and a verified event in every language', async () => {
  const cwd = scratchFolder()
  for (const source of ['', 'src/events'])
    run(path.join(ROOT, source), `npm pack --silent --workspaces=false --pack-destination "${cwd}"`)
  run(cwd, 'npm install --silent --ignore-scripts ./shipbell-*.tgz && npx shipbell init && cp .env.example .env')
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
