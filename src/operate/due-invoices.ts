import { turnTaking, type Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { type DueChoice, dueRange } from '../model/due-choice.ts'
import { type AccountDue, addDue, dueSum, type DueSum, NOTHING_DUE } from '../report/due-invoices.ts'
import type { OpenedStore } from './open-storage.ts'
import { KeptReport } from './kept-report.ts'

interface Parts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: Pick<OpenedStore, 'recordPage' | 'records'>
}

/** How many invoices are held at once. */
const SLICE = 200
/** Within how many days what falls due soon does. */
const SOON_DAYS = 7

/** What is due of each account that is configured: all of it is looked at, so that it is kept for a while. */
export function keptDue({ clock, live, store }: Parts): KeptReport<readonly AccountDue[]> {
  return new KeptReport({
    live,
    clock,
    make: async (config) => await dueOfAccounts(config, { clock, store }),
  })
}

async function dueOfAccounts(config: Config, { clock, store }: Omit<Parts, 'live'>): Promise<readonly AccountDue[]> {
  const letOthers = turnTaking(clock)
  const all: AccountDue[] = []
  for (const { name: account, timeZone } of config.accounts) {
    const sum = async (choice: DueChoice): Promise<DueSum> => {
      const due = () => dueRange(choice, clock.calendarNow(account), timeZone)
      let whole = NOTHING_DUE
      let cursor: string | null = ''
      while (cursor !== null) {
        const place = cursor === '' ? {} : { cursor }
        const page = await store.recordPage({ resource: 'invoice', account, due, limit: SLICE, ...place })
        const known = await store.records(
          account,
          'invoice',
          page.items.map(({ id }) => id),
        )
        whole = addDue(whole, dueSum([...known.values()].flatMap(({ seen }) => (seen === null ? [] : [seen]))))
        cursor = page.next
        await letOthers()
      }
      return whole
    }
    all.push({ account, overdue: await sum({ kind: 'overdue' }), soon: await sum({ kind: 'within', days: SOON_DAYS }) })
  }
  return all
}
