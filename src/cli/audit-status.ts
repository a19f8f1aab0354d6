import { auditWords, type AuditLine } from '../report/audit.ts'
import type { CommandContext } from './command-context.ts'
import { writeTable } from './table.ts'
import { painter } from './terminal.ts'

const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'RESOURCE' },
  { title: 'SAMPLED BY ID (7 d)' },
  { title: 'LIST' },
] as const

/** How many sampled records differed from what their list shows, and how many may at most. */
export function writeAudits(context: CommandContext, audits: readonly AuditLine[]): void {
  if (audits.length === 0) return
  const { stdout } = context
  stdout.write('\n')
  const rows = audits.map(({ account, resource, staleSince, sum }) => [
    account,
    resource,
    auditWords(sum),
    staleSince === null ? { text: 'ok', style: 'green' as const } : { text: 'stale', style: 'red' as const },
  ])
  writeTable(COLUMNS, rows, { stream: stdout, paint: painter(context) })
}
