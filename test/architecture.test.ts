import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CHANNEL_KINDS } from '../src/config/channel-kinds.ts'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/** Who may import whom; `types:` in front of a room allows `import type` only. src/README.md shows the same table. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  model: [],
  http: ['model'],
  detect: ['model'],
  plan: ['model'],
  route: ['model'],
  ledger: ['model'],
  platform: ['model', 'http'],
  store: ['model', 'ledger'],
  message: ['model'],
  samples: ['model', 'detect', 'route'],
  config: ['model', 'route', 'message', 'samples'],
  poll: ['model', 'detect', 'plan', 'route', 'ledger', 'types:platform', 'types:store'],
  deliver: ['model', 'http', 'plan', 'route', 'message', 'types:store'],
  report: ['model', 'types:plan', 'types:store'],
  serve: ['model', 'route', 'message', 'report', 'types:store'],
  sandbox: ['model', 'types:platform'],
  operate: [
    'config',
    'deliver',
    'http',
    'ledger',
    'message',
    'model',
    'plan',
    'poll',
    'report',
    'route',
    'samples',
    'store',
    'types:serve',
  ],
  cli: [
    'app',
    'operate',
    'config',
    'message',
    'model',
    'platform',
    'report',
    'samples',
    'sandbox',
    'types:poll',
    'types:store',
  ],
}
/** Rooms of which others see one file alone. */
const ENTRIES: Readonly<Record<string, string>> = { sandbox: 'sandbox/sandbox.ts' }
/** The packages that a room may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  model: ['big.js', 'ipaddr.js', 'temporal-polyfill'],
  http: ['ipaddr.js', 'p-queue', 'undici'],
  route: ['@bufbuild/re2', '@marcbachmann/cel-js'],
  platform: ['zod'],
  store: ['better-sqlite3', 'pg'],
  message: ['liquidjs'],
  config: ['ipaddr.js', 'leven', 'yaml', 'zod'],
  poll: ['p-queue'],
  deliver: ['ipaddr.js', 'nodemailer', 'svix', 'temporal-polyfill'],
  serve: ['@hono/zod-openapi', '@modelcontextprotocol/server', 'hono', 'prom-client'],
  sandbox: ['csv-parse', 'hono', 'zod'],
  cli: ['@bomb.sh/tab', 'commander', 'hono', 'string-width'],
  app: [
    '@opentelemetry/api',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace-base',
  ],
  main: ['commander'],
  log: ['pino'],
  'http-server': ['@hono/node-server'],
}
/** What of Node a pure room may import: what computes. */
const COMPUTES =
  /^import \{ (?:(?:hash|createPrivateKey|createPublicKey|createSecretKey|type KeyObject)(?:, )?)+ \} from 'node:crypto'$/
const PURE = new Set(['model', 'detect', 'plan', 'route', 'ledger', 'message', 'report', 'samples'])
const EVERYBODYS = new Set([
  'clock',
  'connection-limits',
  'disposable-stacks',
  'errors',
  'http-server',
  'invocation',
  'log',
  'named-file',
  'printable',
  'redact',
  'system-trust',
  'version',
  'once',
  'wake-signal',
])
const EVERYTHING = new Set(['app', 'complete', 'main'])

/** Beside its folder and its keys, what names a kind of channel: its settings, and its line among all kinds. */
const NAME_A_CHANNEL = ['deliver/channels/channel-kinds.ts', 'model/subscription.ts']
/** Their keys stand together. */
const CHATS: ReadonlySet<string> = new Set(['slack', 'teams', 'google_chat', 'mattermost', 'rocketchat'])
/** Here `email` is a field of a record. */
const KNOW_RECORDS_ALONE = new Set(['detect', 'message', 'platform', 'sandbox'])

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** A package of its own, in JavaScript: no room imports it. */
const RECEIVERS = `events${path.sep}`

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith(RECEIVERS),
)
const sources = new Map(files.map((file) => [file, readFileSync(path.join(SRC, file), 'utf8')]))
const imports = [...sources].flatMap(([from, text]) => importsOf(from, text))

describe('the house', () => {
  test('has files to look at', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(100)
  })

  test('imports only what the table allows', () => {
    const forbidden = imports.filter((each) => !isAllowed(each))
    expect(forbidden.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('has the table that src/README.md shows', () => {
    const rows = readFileSync(path.join(SRC, 'README.md'), 'utf8').matchAll(/^\| `([a-z]+)` [^|]*\|[^|]*\|([^|]*)\|$/gm)
    const shown = [...rows].map(([, room = '', allowed = '']) => [
      room,
      [...allowed.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    ])
    expect(Object.fromEntries(shown)).toEqual({ ...TABLE, app: [] })
  })

  test('sees a room that has an entry by nothing else', () => {
    const past = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to) && (ENTRIES[roomOf(to)] ?? to) !== to)
    expect(past.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('imports only the packages that its room may, and of Node in pure rooms only what computes', () => {
    const forbidden = [...sources].flatMap(([file, text]) =>
      packagesOf(text)
        .filter(({ name, statement }) =>
          name.startsWith('node:')
            ? PURE.has(roomOf(file)) && !COMPUTES.test(statement)
            : PACKAGES[roomOf(file)]?.includes(name) !== true,
        )
        .map(({ statement }) => `${file}: ${statement}`),
    )
    expect(forbidden).toEqual([])
  })

  test("sees nothing of the receivers' package, which imports zod at most", () => {
    expect(imports.filter(({ to }) => to.startsWith(RECEIVERS))).toEqual([])
    const code = readdirSync(path.join(SRC, RECEIVERS)).filter((file) => /\.(?:js|ts)$/.test(file))
    const own = code.map((file) => readFileSync(path.join(SRC, RECEIVERS, file), 'utf8'))
    expect([...new Set(own.flatMap(packagesOf).map(({ name }) => name))]).toEqual(['zod'])
  })

  test('knows one dialect in a file: what both share knows neither, and neither knows the other', () => {
    const mixed = imports.filter(({ from, to }) => {
      const [one, other] = [dialectOf(from), dialectOf(to)]
      return roomOf(from) === 'store' && roomOf(to) === 'store' && other !== null && one !== other
    })
    expect(mixed.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('has no way to make markup of a text: every value on a page is escaped', () => {
    const making = [...sources].filter(([, text]) =>
      /\braw\b[^'"]*'hono\/(?:html|utils)|hono\/jsx|\bisEscaped\b/.test(text),
    )
    expect(making.map(([file]) => file)).toEqual([])
  })

  test('exports nothing that another file has declared', () => {
    const passedOn = [...sources].flatMap(([file, text]) => {
      const names = new Set([...text.matchAll(/^import [^'"]*from '\./gms)].join(' ').split(/[^\w$]+/))
      const aliases = [...text.matchAll(/^export const [^=\n]*= ([\w$]+)$/gm)].filter(([, name = '']) =>
        names.has(name),
      )
      return [...text.matchAll(/^export (?:type )?[{*].*$/gm), ...aliases].map(([each]) => `${file}: ${each}`)
    })
    expect(passedOn).toEqual([])
  })

  test('has no cycle between files, type imports included', () => {
    expect(findCycle()).toEqual([])
  })

  test('keeps every file under 300 lines', () => {
    const long = [...sources].filter(([, text]) => text.split('\n').length > 301).map(([file]) => file)
    expect(long).toEqual([])
  })

  test.each(Object.keys(CHANNEL_KINDS))('names the channel %s in three files beside its folder', (kind) => {
    const [settings, folder] = [`${inPascalCase(kind)}Channel`, kind.replaceAll('_', '-')]
    const naming = new RegExp(`'${kind}'|\\b${settings}\\b|/${folder}/`)
    const elsewhere = [...sources]
      .filter(([file]) => !KNOW_RECORDS_ALONE.has(roomOf(file)) && !file.startsWith(`deliver/channels/${folder}/`))
      .filter(([, text]) => naming.test(text))
    expect(elsewhere.map(([file]) => file).toSorted()).toEqual(
      [CHATS.has(kind) ? 'config/chat-kinds.ts' : 'config/channel-kinds.ts', ...NAME_A_CHANNEL].toSorted(),
    )
  })

  test('reads the time only in clock.ts and draws randomness only where it is wired', () => {
    const reading = [...sources]
      .filter(([, text]) => /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random\(/.test(text))
      .map(([file]) => file)
    expect(reading).toEqual(['clock.ts'])
  })
})

function importsOf(from: string, text: string): readonly Import[] {
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gms)
  const late = text.matchAll(/\b(type\s)?import\('(\.[^']+)'\)/g)
  return [...found, ...late].map(([, type, to = '']) => ({
    from,
    to: path.normalize(path.join(path.dirname(from), to)),
    typeOnly: type !== undefined,
  }))
}

/** Every package, by its name alone, and the statement that imports it on one line. */
function packagesOf(text: string): readonly { readonly name: string; readonly statement: string }[] {
  const found = text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gms)
  return [...found].map(([statement, early, late]) => {
    const path = early ?? late ?? ''
    const name = path.startsWith('node:') ? path : (/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
    return { name, statement: statement.replaceAll(/\s+/g, ' ') }
  })
}

function inPascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())
}

const FILES_OF_SQLITE = /^store\/(?:file\/|.*\.sqlite\.ts$|copy\/(?:arriving-file|leaving-file|file-rows)\.ts$)/
const FILES_OF_POSTGRES = /^store\/(?:server\/|.*\.postgres\.ts$|copy\/(?:\w+-database|database-rows)\.ts$)/

/** Which database a file of the store is written for; null: none. */
function dialectOf(file: string): 'sqlite' | 'postgres' | null {
  if (FILES_OF_SQLITE.test(file)) return 'sqlite'
  return FILES_OF_POSTGRES.test(file) ? 'postgres' : null
}

function roomOf(file: string): string {
  return (file.split(path.sep)[0] ?? file).replace(/\.ts$/, '')
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [here, there] = [roomOf(from), roomOf(to)]
  if (here === there || EVERYTHING.has(here)) return true
  if (EVERYBODYS.has(there)) return !PURE.has(here)
  const allowed = TABLE[here] ?? []
  return allowed.includes(there) || (typeOnly && allowed.includes(`types:${there}`))
}

function findCycle(): readonly string[] {
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return []
    for (const { to } of imports.filter((each) => each.from === file)) {
      const cycle = visit(to, [...trail, file])
      if (cycle.length > 0) return cycle
    }
    done.add(file)
    return []
  }
  for (const file of sources.keys()) {
    const cycle = visit(file, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
