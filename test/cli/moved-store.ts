import { writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { storeCommand } from '../../src/cli/store.ts'
import { TABLE_NAMES } from '../../src/store/copy/copy-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { CONFIGURATION, ledger } from './ledger.ts'
import { runCommand, type Outcome, type Surroundings } from './run-command.ts'

/** A folder with a configuration and a store in a file, and an empty database. */
export class MovedStore {
  readonly cwd: string
  readonly file: string
  readonly url: string

  private constructor(cwd: string, url: string) {
    this.cwd = cwd
    this.file = path.join(cwd, 'shipbell.db')
    this.url = url
  }

  static async with(fill: (store: Store) => Promise<void>): Promise<MovedStore> {
    const { cwd } = await ledger(fill)
    return new MovedStore(cwd, await (await postgresDatabases()).take())
  }

  async copy(to = this.url, surroundings: Partial<Surroundings> = {}): Promise<Outcome> {
    return await runCommand(storeCommand, ['copy', '--to', to], { cwd: this.cwd, ...surroundings })
  }

  /** From now on the configuration names this one. */
  use(storage: { readonly url: string } | { readonly path: string }): void {
    writeFileSync(path.join(this.cwd, 'shipbell.yaml'), `${CONFIGURATION}storage: ${JSON.stringify(storage)}\n`)
  }

  /** The database as its own client names it, without the user. */
  get place(): string {
    const { hostname, pathname, port, searchParams } = new URL(this.url)
    const host = searchParams.get('host')
    return host === null ? `${hostname}:${port === '' ? '5432' : port}${pathname}` : `${host}${pathname}`
  }

  async sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
}

/** Everything that is copied of a store in a file, as SQLite has it; series, which are others in each copy, are left out. */
export function contentsOf(file: string): Readonly<Record<string, readonly string[]>> {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const rows = (table: string) =>
      sqlite
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify(row, (key, value: unknown) => (key === 'series' ? undefined : value)))
    return Object.fromEntries(TABLE_NAMES.map((table) => [table, rows(table).toSorted()]))
  } finally {
    sqlite.close()
  }
}

export function seriesIn(file: string): unknown {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare(`SELECT series FROM endpoints WHERE subscription = 'erp'`).pluck().get()
  } finally {
    sqlite.close()
  }
}

export function changeFile(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}
