import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { scratchFolder, shown } from '../config/scratch.ts'
import { environmentOf } from './complete-config.ts'
import { readPage } from './pages.ts'

const { blocks } = readPage('docs/how-to/many-customers.md')
const PAGE = blocks.map(({ text }) => text).join('\n')

function block(role: string) {
  const found = blocks.find((each) => each.role === role)
  if (found === undefined) throw new Error(`The page has no ${role}.`)
  return found
}

it('the example of a customer in a file of its own is valid as it stands, and says nothing', () => {
  const included = block('included')
  const cwd = scratchFolder({ 'shipbell.yaml': block('check').text })
  const file = path.join(cwd, included.options['file'] ?? '')
  mkdirSync(path.dirname(file))
  writeFileSync(file, included.text)
  const { config, problems } = loadConfig('shipbell.yaml', { env: environmentOf(PAGE), cwd })
  expect(problems.map(shown)).toEqual([])
  expect(config?.accounts.map(({ name, budget }) => [name, budget.requests])).toEqual([['globex', 30]])
  expect(config?.subscriptions.map(({ name, channel }) => [name, channel.kind])).toEqual([['globex-erp', 'webhook']])
})
