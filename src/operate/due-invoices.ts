import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { type DueChoice, dueRange } from '../model/due-choice.ts'
import { type AccountDue, addDue, dueSum, type DueSum, NOTHING_DUE, saidDue } from '../report/due-invoices.ts'
import type { DueTotals } from '../store/ports/record-query-port.ts'
import type { OpenedStore } from './open-storage.ts'
import { KeptReport, type Making } from './kept-report.ts'

interface Parts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: Pick<OpenedStore, 'dueTotals' | 'records'>
}

/** How many invoices are held at once. */
const SLICE = 1_000
/** Within how many days what falls due soon does. */
const SOON_DAYS = 7

/** What is due of each account that is configured: all of it is looked at, so that it is kept for a while. */
export function keptDue({ clock, live, store }: Parts): KeptReport<readonly AccountDue[]> {
  return new KeptReport({
    live,
    clock,
    make: async (config, { letOthers }) => await dueOfAccounts(config, { clock, store, letOthers }),
  })
}

async function dueOfAccounts(
  config: Config,
  { clock, letOthers, store }: Omit<Parts, 'live'> & Pick<Making, 'letOthers'>,
): Promise<readonly AccountDue[]> {
  const all: AccountDue[] = []
  for (const { name: account, timeZone } of config.accounts) {
    const sum = async (choice: DueChoice): Promise<DueSum> => {
      const range = dueRange(choice, clock.calendarNow(account), timeZone)
      let whole = NOTHING_DUE
      let cursor: string | null = ''
      while (cursor !== null) {
        const place = cursor === '' ? {} : { cursor }
        const page = await store.dueTotals({ account, due: range, limit: SLICE, ...place })
        whole = addDue(whole, addDue(saidDue(page.items), await readSum(account, page.items, store)))
        cursor = page.next
        await letOthers()
      }
      return whole
    }
    all.push({ account, overdue: await sum({ kind: 'overdue' }), soon: await sum({ kind: 'within', days: SOON_DAYS }) })
  }
  return all
}

/** What the invoices come to whose rows do not say it: of a store that was just upgraded, or without an amount. */
async function readSum(
  account: string,
  rows: readonly DueTotals[],
  store: Pick<OpenedStore, 'records'>,
): Promise<DueSum> {
  const unsaid = rows.filter(({ totals }) => totals === null).map(({ id }) => id)
  if (unsaid.length === 0) return NOTHING_DUE
  const known = await store.records(account, 'invoice', unsaid)
  return dueSum([...known.values()].flatMap(({ seen }) => (seen === null ? [] : [seen])))
}
