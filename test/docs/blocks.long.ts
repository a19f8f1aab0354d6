import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it, test, vi } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { SECRET } from '../config/scratch.ts'
import { completeConfig, environmentOf } from './complete-config.ts'
import { missingLines } from './essence.ts'
import { PageShell } from './page-shell.ts'
import { placeOf, readPage, readPages, type Block, type Page } from './pages.ts'

/** Until an example shows what its page shows: the daemon needs a moment to read, deliver and reload. */
const WAIT = { timeout: 120_000, interval: 500 }

const RUNNING = readPages().filter(({ blocks }) => blocks.some(({ role }) => role === 'run' || role === 'start'))

describe('the commands of', () => {
  test.concurrent.each(RUNNING.map((page) => [page.name, page] as const))(
    '%s do what the page shows',
    async (_name, page) => {
      const blocks = [...blocksBefore(page), ...page.blocks]
      const fragments = blocks.filter(isFragment).map(({ text }) => text)
      using shell = await PageShell.open(environmentOf(fragments.join('\n')))
      for (const [nth, block] of blocks.entries()) await follow(shell, block, blocks[nth + 1])
    },
  )
})

/** What only shows what is there: the test of its own page runs it, and a page that goes on from there needs it not. */
const ONLY_SHOWS = /^npx shipbell (?:check|demo|events list)\b/

/** `<!-- after PAGE -->`: the page goes on from another one. */
function blocksBefore({ text }: Page): readonly Block[] {
  const name = /^<!-- after (\S+) -->$/m.exec(text)?.[1]
  return name === undefined ? [] : blocksToGoOnFrom(name)
}

function blocksToGoOnFrom(name: string): readonly Block[] {
  return readPage(name).blocks.filter(({ text }) => !ONLY_SHOWS.test(text))
}

async function follow(shell: PageShell, block: Block, next: Block | undefined): Promise<void> {
  const { role, options, text } = block
  const expected = next?.role === 'output' && next.options['of'] === undefined ? next.text : ''
  if (options['file'] !== undefined) return await shell.write(options['file'], fileText(block))
  if ('ledger' in options) await shell.run(ADD_FAILING)
  if (role === 'start') {
    await shell.start(text)
    await shows(block, expected, () => shell.outputOf(text))
  }
  if (role === 'run') await shows(block, expected, async () => await shell.run(text))
  const { of } = options
  if (of !== undefined) await shows(block, text, () => shell.outputOf(`shipbell ${of}`))
}

async function shows(block: Block, expected: string, output: () => string | Promise<string>): Promise<void> {
  await vi.waitFor(async () => {
    const actual = await output()
    expect({ [placeOf(block)]: missingLines(expected, actual), actual }).toEqual({ [placeOf(block)]: [], actual })
  }, WAIT)
}

/** Part of a configuration, whose variables no `.env` sets. */
function isFragment({ language, options, text }: Block): boolean {
  return language === 'yaml' && options['file'] !== undefined && !/^accounts:/m.test(text)
}

/** A whole configuration says the port of the admin interface, so that it is one of the shell's. */
function fileText(block: Block): string {
  if (isFragment(block)) return completeConfig(block.text)
  return block.language === 'yaml' ? `${block.text}http: { listen: "127.0.0.1:8484" }\n` : block.text
}

/** Gives the configuration the subscription `later`, whose receiver does not run, unless it has it. */
const ADD_FAILING = `grep -q ' later:' shipbell.yaml || sed -i '/^subscriptions:/a\\
  later: { url: "http://127.0.0.1:8592", secret: ${SECRET}, events: ["*"] }' shipbell.yaml`

it('names every field that a command prints with --json', async () => {
  using shell = await PageShell.open({})
  const blocks = blocksToGoOnFrom('docs/start/first-event.md')
  for (const [nth, block] of blocks.entries()) await follow(shell, block, blocks[nth + 1])
  const page = readPage('docs/reference/json-output.md').text
  const commands = ['deliveries list --limit 1', 'subscriptions list', 'status', 'plan --budget 40']
  for (const command of [
    ...commands,
    'events show $(npx shipbell events list --json --limit 1 | grep -o -m1 "evt_[0-9a-f]*" | head -1)',
  ]) {
    const printed = await shell.run(`npx shipbell ${command} --json 2>/dev/null`)
    const names = fieldNames(JSON.parse(printed))
    expect(names.length).toBeGreaterThan(9)
    expect({ [command]: names.filter((name) => !page.includes(name)) }).toEqual({ [command]: [] })
  }
})

/** Of a document and all that is in it, but for what the platform or an event type names. */
function fieldNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(fieldNames)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    ['payload', 'before', 'after', 'changes'].includes(name) ? [name] : [name, ...fieldNames(child)],
  )
}

describe('the receivers of docs/start/first-receiver.md', () => {
  const { blocks } = readPage('docs/start/first-receiver.md')
  const body = '{"type":"shipbell.test","subject":{"id":"erp"}}'
  const id = 'evt_1'
  const port = 8585

  function source(role: string): string {
    return blocks.find((block) => block.role === role)?.text ?? ''
  }

  it('takes what is signed, and refuses the rest', async () => {
    using shell = await PageShell.open({ ERP_SECRET: SECRET })
    await shell.write('receiver.mjs', source('receiver'))
    await shell.start(`node receiver.mjs`)
    const at = new Date()
    const seconds = String(Math.floor(at.getTime() / 1_000))
    const signature = new Webhook(SECRET).sign(id, at, body)
    const headers = `-H 'webhook-id: ${id}' -H 'webhook-timestamp: ${seconds}' -H 'webhook-signature: ${signature}'`
    const post = `curl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:${port} -d`
    await vi.waitFor(async () => expect(await shell.run(`${post} '${body}' ${headers}`)).toBe('204\n'), WAIT)
    expect(await shell.run(`${post} '${body} ' ${headers}`)).toBe('401\n')
    expect(shell.outputOf('receiver')).toBe('shipbell.test erp\n')
  })

  it('knows the events that the package verifies', async () => {
    using shell = await PageShell.open({})
    await shell.write('receive.mjs', source('typed'))
    const event = {
      type: 'shipment.eta_changed',
      subject: { id: 'SHP-1' },
      data: { date_change: { shift_minutes: 60 } },
    }
    const script = `import { sign } from '@shipbell/events'
import { receive } from './receive.mjs'
const body = ${JSON.stringify(JSON.stringify(event))}
const headers = await sign('${SECRET}', { id: 'evt_1', timestamp: Date.now() / 1000, body })
console.log(await receive(headers, body, ['${SECRET}']), await receive(headers, body + ' ', ['${SECRET}']))
`
    await shell.write('try.mjs', script)
    expect(await shell.run('node try.mjs')).toBe('SHP-1 60\n204 401\n')
  })

  it('verifies with a public key what its private key signed', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
    using shell = await PageShell.open({ ERP_PUBLIC_KEY: `whpk_${raw.toString('base64')}` })
    await shell.write('is-signed.mjs', source('module'))
    const signed = sign(null, Buffer.from(`${id}.1.${body}`), privateKey)
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': '1',
      'webhook-signature': `v1a,${signed.toString('base64')}`,
    }
    const call = (text: string): string => `isSigned(${JSON.stringify(headers)}, ${JSON.stringify(text)})`
    await shell.write(
      'try.mjs',
      `import { isSigned } from './is-signed.mjs'\nconsole.log(${call(body)}, ${call(`${body} `)})\n`,
    )
    expect(await shell.run('node try.mjs')).toBe('true false\n')
  })
})
