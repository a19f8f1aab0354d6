import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

/**
 * Configurations in which several things are wrong, with all that `shipbell check` says of each, in order. A change of the
 * schemas shows here what it does to places and to what is said together; `vitest -u` takes what is meant.
 */
const FILE = new URL('judged-configurations.txt', import.meta.url)

const ENV = {
  KEY: 'top-secret-key',
  SVIX_TOKEN: 'sk_test',
  SECRET,
  EMPTY: '',
  SECRET_TEXT: 'hunter2 https://u:hunter2@x#hunter2',
  SECRET_URL: 'https://secret.example/hook/abcDEF123456',
  HOST: 'named.example',
  TEMPLATE: 'a.liquid',
  NOWHERE: 'secret.liquid',
  MISSPELT: 'misspelt.liquid',
}
const FILES = {
  'a.liquid': 'A {{ it }}\n',
  'b.liquid': 'B {{ it }}',
  'eta.liquid': '{{ it }}\nETA {{ data.date_change.to | moment }}',
  'misspelt.liquid': 'Hello\n\n  now {{ data.shipmnt.name }}',
  'syntax.liquid': '{{ it }}\n{% if it %}',
  'nothing.liquid': '{% if false %}{{ it }}{% endif %}  \n ',
}

it('says of every configuration what it said', async () => {
  const cwd = scratchFolder(FILES)
  const cases = readFileSync(FILE, 'utf8')
    .split(/^%% exit .\n/m)
    .slice(1)
  expect(cases.length).toBeGreaterThan(100)
  const judged = cases.map((each) => {
    const yaml = each.slice(0, each.indexOf('%% says\n'))
    writeFileSync(path.join(cwd, 'shipbell.yaml'), yaml)
    const { config, problems } = loadConfig('shipbell.yaml', { env: ENV, cwd, clock: new FakeClock() })
    const lines = problems.map((problem) => `${shown(problem).replace(' ', ': ')}\n`)
    return `%% exit ${config === null ? 2 : 0}\n${yaml}%% says\n${lines.join('')}`
  })
  await expect(judged.join('\n')).toMatchFileSnapshot(fileURLToPath(FILE))
})
