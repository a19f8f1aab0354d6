import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShipbellError } from '../../errors.ts'
import { isLockTimeout } from './database-failure.ts'
import type { Database, Transaction } from './database.ts'
import { Query } from './query.ts'

const FOLDER = new URL('migrations/', import.meta.url)
/** The key for `pg_advisory_xact_lock`: whoever brings a schema up to date holds that lock. */
const MIGRATING = 1_397_244_492
/** How long it waits for whoever uses a table that it changes; then it gives way, and tries again. The change itself takes its time. */
const TIMEOUTS = `SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = 0`
const MOST_TRIES = 30
const PAUSE_MS = 200
/** At the beginning of a migration's file: workers of the schema before cannot go on beside it. */
const BREAKING = /^--! breaking$/m

const VERSIONS = new Query<{ known: boolean; others: boolean }>(`
  SELECT to_regclass('schema_versions') IS NOT NULL AS known,
    EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')) AS others`)
const APPLIED = new Query<{ version: number; breaking: boolean }>('SELECT version, breaking FROM schema_versions')
const BEGIN = new Query('SELECT pg_advisory_xact_lock(:migrating)')
const VERSIONS_TABLE = `
  CREATE TABLE schema_versions (version bigint PRIMARY KEY, breaking boolean NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`
const DONE = new Query('INSERT INTO schema_versions (version, breaking) VALUES (:version, :breaking)')

interface Migration {
  readonly version: number
  readonly sql: string
  readonly breaking: boolean
}

interface SchemaState {
  readonly version: number
  /** The newest version that workers of the one before could not go on beside; 0: none. */
  readonly breakingVersion: number
}

let newest: number | null = null

/** The version that this program brings a schema to. */
export function newestVersion(): number {
  newest ??= listMigrations(FOLDER).at(-1)?.version ?? 0
  return newest
}

/**
 * Brings the schema up to date, one transaction for each step, under a lock: of many workers that start at once one does it.
 * Throws `store_newer` where a newer Shipbell has changed it in a way that this one cannot go on beside, `store_unusable` for
 * another program's database.
 */
export async function migrate(db: Database, folder: URL = FOLDER): Promise<void> {
  const migrations = listMigrations(folder)
  const state = await db.read(async (tx) => await stateOf(tx, db.place))
  refuseUnreleased(state, migrations, db.place)
  refuseNewer(state.breakingVersion, migrations.at(-1)?.version ?? 0, db.place)
  for (const migration of migrations) {
    if (migration.version > state.version) await applyPatiently(db, migration)
  }
}

/** Whether anybody has made a store there yet. Throws `store_unusable` for another program's database. */
export async function isMade(db: Database): Promise<boolean> {
  const state = await db.read(async (tx) => await stateOf(tx, db.place))
  refuseUnreleased(state, listMigrations(FOLDER), db.place)
  return state.version > 0
}

/** Whoever works with the tables goes first, again and again; but nobody works with them for a minute. */
async function applyPatiently(db: Database, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.write(async (tx) => await apply(tx, migration, db.place))
    } catch (error) {
      if (tries >= MOST_TRIES || !isLockTimeout(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Throws `store_newer` where this program cannot go on beside the schema. */
export function refuseNewer(breakingVersion: number, known: number, place: string): void {
  if (breakingVersion <= known) return
  throw new ShipbellError(
    'store_newer',
    `The database ${place} has the schema of a newer Shipbell, beside which this one cannot go on: update Shipbell.`,
  )
}

/** The schemas before the first one here were no release's. */
function refuseUnreleased({ version }: SchemaState, [first]: readonly Migration[], place: string): void {
  if (version === 0 || version >= (first?.version ?? 0)) return
  throw new ShipbellError(
    'store_unusable',
    `The database ${place} was made by a Shipbell that was never released: carry it over by that version's \`shipbell store copy --to FILE\`, and then by this one's \`shipbell store copy --to postgres://…\` into an empty database.`,
  )
}

async function stateOf(tx: Pick<Transaction, 'all' | 'one'>, place: string): Promise<SchemaState> {
  const found = await tx.one(VERSIONS)
  if (found?.known !== true) {
    if (found?.others !== true) return { version: 0, breakingVersion: 0 }
    const sentence = `The database ${place} has tables of another program: name an empty one in storage.url.`
    throw new ShipbellError('store_unusable', sentence)
  }
  const applied = await tx.all(APPLIED)
  return {
    version: Math.max(0, ...applied.map(({ version }) => version)),
    breakingVersion: Math.max(0, ...applied.flatMap(({ breaking, version }) => (breaking ? [version] : []))),
  }
}

async function apply(tx: Transaction, { breaking, sql, version }: Migration, place: string): Promise<void> {
  await tx.one(BEGIN, { migrating: MIGRATING })
  const state = await stateOf(tx, place)
  if (state.version >= version) return
  if (state.version === 0) await tx.script(VERSIONS_TABLE)
  await tx.script(`${TIMEOUTS}; ${sql}`)
  await tx.run(DONE, { version, breaking })
}

function listMigrations(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      return { version: Number.parseInt(name, 10), sql, breaking: BREAKING.test(sql) }
    })
}
