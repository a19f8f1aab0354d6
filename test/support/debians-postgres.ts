import { existsSync } from 'node:fs'

const BIN = '/usr/lib/postgresql/15/bin'

/** Where the programs of Debian's PostgreSQL 15 are: the oldest that is supported, and it can copy a server. null: not installed. */
export const DEBIANS_POSTGRES = existsSync(`${BIN}/initdb`) ? BIN : null
