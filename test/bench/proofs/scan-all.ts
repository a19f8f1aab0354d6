import path from 'node:path'
import { field, textField, type Json } from '../../../src/model/json.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import type { Workplace } from '../../support/shipbell.ts'
import type { Daemons } from './daemons.ts'
import { itemsOf, type OwnerDesk } from './owner-desk.ts'
import type { SecretScan } from './secret-scan.ts'

export interface ScanParts {
  readonly scan: SecretScan
  readonly desk: OwnerDesk
  readonly daemons: Daemons
  /** Tokens that pages and answers are asked for with. */
  readonly tokens: readonly string[]
  /** Where the store is; null: in a file. */
  readonly server: PostgresServer | null
}

export interface Scanned {
  /** How many pages and answers. */
  readonly asked: number
  readonly problems: readonly string[]
}

const PAGES = ['/', '/system', '/subscribe', '/search?q=Shipment']
/** Pages that are reached by links, for each token. */
const MOST_PAGES = 150
const SOME = 20
const COMMANDS = [
  ['status', '--json'],
  ['subscriptions', 'list', '--json'],
  ['subscriptions', 'list'],
  ['deliveries', 'list', '--json', '--limit', '200'],
  ['events', 'list', '--json', '--limit', '200'],
  ['check'],
] as const

/** Looks through every byte that daemons have written or answer, ends them, and looks at what is left. */
export async function scanAll(parts: ScanParts): Promise<Scanned> {
  const { daemons, scan, server, tokens } = parts
  const problems: string[] = []
  let asked = 0
  for (const token of tokens) {
    asked += await crawl(parts, token, { begin: PAGES, follows: true })
    asked += await crawl(parts, token, { begin: await answers(parts, token), follows: false })
  }
  const [work] = daemons.works
  if (work === undefined) throw new Error('there is no daemon')
  const says = async (...command: readonly string[]): Promise<void> => {
    const { code, stderr, stdout } = await work.run(...command)
    scan.look(`what ${command.join(' ')} says`, stdout + stderr)
    if (code === 2 || code === 3) problems.push(`${command.join(' ')}: ${stderr.slice(0, 500)}`)
  }
  for (const command of COMMANDS) await says(...command)
  lookAtStore(parts)
  if (server === null) await says('backup', 'backup.db')
  const codes = await daemons.stopAll()
  problems.push(...codes.filter((code) => code !== 0).map((code) => `a daemon ended with ${code}`))
  scan.look('the log', daemons.said)
  await copied(parts, work, says)
  lookAtStore(parts)
  return { asked, problems }
}

/** The store is moved from where it is to where it was not. */
async function copied(
  { scan, server }: ScanParts,
  work: Workplace,
  says: (...command: readonly string[]) => Promise<void>,
): Promise<void> {
  if (server !== null) return await says('store', 'copy', '--to', path.join(work.folder, 'copied.db'))
  await using empty = await PostgresServer.start()
  await says('store', 'copy', '--to', empty.url())
  scan.lookBelow(path.join(empty.folder, 'data'))
}

function lookAtStore({ daemons, scan, server }: ScanParts): void {
  for (const { folder } of daemons.works) scan.lookBelow(folder, (name) => name === 'shipbell.yaml')
  if (server !== null) scan.lookBelow(path.join(server.folder, 'data'))
}

interface Walk {
  readonly begin: readonly string[]
  /** Whether links are followed, for as long as there are not too many. */
  readonly follows: boolean
}

async function crawl({ desk, scan }: ScanParts, token: string, { begin, follows }: Walk): Promise<number> {
  const seen = new Set(begin)
  let asked = 0
  // A set is gone through with what is added meanwhile.
  for (const page of seen) {
    const { text } = await desk.ask(token, page)
    asked += 1
    scan.look(`GET ${page}`, text)
    if (!follows) continue
    if (asked === MOST_PAGES) break
    for (const [, link = ''] of text.matchAll(/href="(\/[^"#]*)"/g))
      if (!link.startsWith('/assets')) seen.add(link.replaceAll('&amp;', '&'))
  }
  return asked
}

/** What the API answers: its lists, and some of what they list. */
async function answers({ desk }: ScanParts, token: string): Promise<readonly string[]> {
  const api = '/api/v1'
  const { json } = await desk.ask(token, '/api/openapi.json')
  const paths = Object.keys(objectOf(field(json, 'paths'))).filter((each) => !/\{|stream/.test(each))
  const lists = ['subscriptions', 'deliveries', 'events', 'deliveries?state=exhausted'].map((list) => `${api}/${list}`)
  const [subscriptions = [], deliveries = [], events = [], failed = []] = await Promise.all(
    lists.map(async (list) => itemsOf((await desk.ask(token, list)).json).slice(0, SOME)),
  )
  const names = subscriptions.map((each) => `${api}/subscriptions/${named(each, 'name')}`)
  return [
    '/metrics',
    '/healthz',
    '/readyz',
    '/api/openapi.json',
    ...paths,
    ...lists,
    ...names.flatMap((each) => [each, `${each}/feed?limit=20`]),
    ...[...deliveries, ...failed].map((each) => `${api}/deliveries/${named(each, 'id')}`),
    ...events.map((each) => `${api}/events/${named(each, 'id')}`),
  ]
}

function named(json: Json, key: string): string {
  return encodeURIComponent(textField(json, key) ?? '')
}

function objectOf(json: Json | undefined): object {
  return typeof json === 'object' && json !== null ? json : {}
}
