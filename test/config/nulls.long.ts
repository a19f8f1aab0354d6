import { Ajv } from 'ajv'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { ENV, EXAMPLES, leavesOf } from './examples.ts'
import { scratchFolder } from './scratch.ts'

const isValid = new Ajv({ strict: true, code: { optimize: false } }).compile(configJsonSchema())

test('the JSON Schema knows where null may stand, as the program does', () => {
  const cwd = scratchFolder({})
  cpSync(EXAMPLES, cwd, { recursive: true })
  const places = leavesOf(parse(readFileSync(`${EXAMPLES}/every-key.yaml`, 'utf8'))).map((replaced) => replaced(null))
  const isTaken = (document: unknown): boolean => {
    writeFileSync(`${cwd}/shipbell.yaml`, stringify(document))
    return loadConfig('shipbell.yaml', { env: ENV, cwd }).config !== null
  }
  const differing = places.filter((document) => isTaken(document) !== isValid(document))
  expect(differing.map((each) => /^.*\bnull$/m.exec(stringify(each))?.[0])).toEqual([])
})
