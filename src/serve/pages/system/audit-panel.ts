import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { auditWords, type AuditLine } from '../../../report/audit.ts'
import { accountPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { text } from '../parts/text.ts'
import { watchedText } from '../parts/words.ts'
import type { SystemFacts } from './system-data.ts'

/** Whether lists show what fetches by id show, as samples of the last week say; nothing where none was taken. */
export function auditPanel({ status: { audits } }: SystemFacts): Html {
  if (audits.length === 0) return html`<section id="audits" data-live="event delivery" hidden></section>`
  return panel({
    id: 'audits',
    title: 'Lists, sampled by id',
    live: 'event delivery',
    aside: html`<span>${say('samples of seven days')}</span>`,
    body: table<AuditLine>({
      caption: 'How many sampled records differed from what their list shows',
      rows: audits,
      key: ({ account, resource }) => `${account} ${resource}`,
      empty: html`${say('Nothing was sampled yet.')}`,
      columns: [
        { name: 'Account', cell: ({ account }) => html`<a href="${accountPath(account)}">${text(account)}</a>` },
        { name: 'List', cell: ({ resource }) => watchedText(resource) },
        { name: 'Sampled', cell: ({ sum }) => retold(auditWords(sum)) },
        { name: 'State', cell: ({ staleSince }) => stateBadge(staleSince === null ? 'ok' : 'stale') },
      ],
    }),
  })
}
