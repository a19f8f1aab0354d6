import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { scratchFolder, shown } from '../config/scratch.ts'
import { completeConfig, environmentOf, isObject } from './complete-config.ts'
import { isFile, placeOf, readPages, ROOT, type Block } from './pages.ts'
import { allCommands } from './reference/all-commands.ts'
import { visibleCommands } from './reference/commands-page.ts'
import manifest from '../../package.json' with { type: 'json' }

const BLOCKS = readPages().flatMap(({ blocks }) => blocks)

describe('examples of a configuration', () => {
  const examples = BLOCKS.filter(({ language, role }) => language === 'yaml' && role === 'check')
  const liquid = BLOCKS.filter(({ language }) => language === 'liquid')

  it('are there', () => expect(examples.length).toBeGreaterThan(10))

  test.each(examples.map((block) => [placeOf(block), block] as const))('%s is valid', (_place, { page, text }) => {
    const templates = liquid.filter((each) => each.page === page).map((each) => [each.options['file'], each.text])
    const cwd = scratchFolder({ 'shipbell.yaml': completeConfig(text), ...Object.fromEntries(templates) })
    const { config, problems } = loadConfig('shipbell.yaml', { env: environmentOf(text), cwd })
    expect(problems.filter(({ severity }) => severity === 'error').map(shown)).toEqual([])
    expect(config).not.toBeNull()
  })
})

describe('commands on the pages', async () => {
  const known = visibleCommands(await allCommands()).toSorted((a, b) => b.name.length - a.name.length)
  const scripts = Object.keys(manifest.scripts)

  /** What of a command line the program does not know. */
  function unknownOf(line: string): readonly string[] {
    const [command = ''] = line.split(/;|\s[#|&]|\)$/)
    const found = known.find(({ name }) => command === name || command.startsWith(`${name} `))
    if (found === undefined) return [command]
    const options = new Set(found.command.options.flatMap(({ long, short }) => [long, short]))
    const given = command.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? []
    return given.filter((option) => !options.has(option)).map((option) => `${found.name} ${option}`)
  }

  it('are commands of the program, with its options', () => {
    const prose = readPages().map(({ text }) => text)
    const lines = prose.flatMap((text) =>
      [...text.matchAll(/npx shipbell ([a-z][^`\n]*)/g)].map(([, line = '']) => line),
    )
    expect(lines.length).toBeGreaterThan(50)
    expect(lines.flatMap(unknownOf)).toEqual([])
  })

  it('are started by compose.yaml and the unit of systemd', () => {
    const compose = /^ +command: \[(.*)\]$/m.exec(readFileSync(`${ROOT}compose.yaml`, 'utf8'))?.[1] ?? ''
    const unit = readFileSync(`${ROOT}config/systemd/shipbell.service`, 'utf8')
    const [, entry = '', command = ''] =
      /^ExecStart=\/usr\/bin\/env node \/opt\/shipbell\/(\S+) (.*)$/m.exec(unit) ?? []
    expect([compose.replaceAll(',', ''), command].flatMap(unknownOf)).toEqual([])
    expect(isFile(entry)).toBe(true)
  })

  it('are scripts of the package', () => {
    const named = readPages().flatMap(({ text }) =>
      [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name),
    )
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(3)
  })
})

describe('JSON on the pages', () => {
  const documents = BLOCKS.filter(({ language }) => language === 'json')

  test.each(documents.map((block) => [placeOf(block), block] as const))('%s is JSON', (_place, { text }) => {
    expect(() => JSON.parse(text)).not.toThrow()
  })

  it('has the fields of a payload and its envelope', () => {
    const [full, sample] = [only('payload'), only('event=shipment.eta_changed')].map(fieldsOf)
    const thin = sample?.filter((field) => !field.startsWith('data/links'))
    expect(full?.filter((field) => !/^data\/(object|previous|changes)/.test(field))).toEqual(thin)
  })

  it('shows the same event in a CloudEvent', () => {
    const [event, cloudEvent] = [parsed('payload'), parsed('cloudevent')]
    expect(cloudEvent).toMatchObject({
      specversion: '1.0',
      id: event['id'],
      type: `shipbell.${textOf(event['type'])}`,
      time: event['timestamp'],
      sequence: textOf(event['sequence']).padStart(16, '0'),
    })
  })

  function only(role: string): Block {
    const found = documents.filter((block) => block.role === role)
    expect(found).toHaveLength(1)
    return found[0] ?? { page: '', line: 0, language: '', role: null, options: {}, text: '{}' }
  }

  function parsed(role: string): JsonObject {
    const value: unknown = JSON.parse(only(role).text)
    return isObject(value) ? value : {}
  }
})

function fieldsOf(block: Block): readonly string[] {
  return paths(JSON.parse(block.text)).toSorted()
}

/** A number or a text as text. */
function textOf(value: Json | undefined): string {
  return typeof value === 'number' || typeof value === 'string' ? `${value}` : ''
}

function paths(value: unknown, prefix = ''): readonly string[] {
  if (!isObject(value)) return [prefix]
  return Object.entries(value).flatMap(([key, child]) => paths(child, prefix === '' ? key : `${prefix}/${key}`))
}
