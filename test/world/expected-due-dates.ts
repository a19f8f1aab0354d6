import type { AccountFacts, Lead } from './account-facts.ts'
import { same, type Invoice } from './facts.ts'
import { addDays, dayIn, daysApart, dayStart } from './zone-days.ts'
import { details, lateness, type RecordCalendar, type Turn } from './expected-calendar.ts'

interface Edge {
  readonly key: string
  readonly at: number
  readonly type: 'due_soon' | 'due' | 'overdue'
  readonly lead?: Lead
}

const OPEN = new Set(['available', 'due', 'new', 'partially_paid'])
const SETTLED = new Set(['paid', 'write_off'])

/** What the calendar owes for one invoice (guarantees D10 and E7). */
export class DueDates implements RecordCalendar<Invoice> {
  readonly #account: AccountFacts
  /** Due dates that `invoice.due` has rung for, for whatever reason. */
  readonly #dueRang: Set<string>
  readonly #rung = new Set<string>()
  #silent: ReadonlySet<string> = new Set()
  /** The due date that it rang overdue for. */
  #overdue: string | null = null

  constructor(account: AccountFacts, dueRang: Set<string>) {
    this.#account = account
    this.#dueRang = dueRang
  }

  read({ before, after, how, today, answeredAt }: Turn<Invoice>): readonly string[] {
    const edges = this.#edges(after)
    const passed = edges.filter(({ at }) => at <= today)
    const wasSilent = edges.filter(({ key }) => this.#silent.has(key))
    const latest = passed.at(-1)
    if (how === 'silent') this.#silence(passed)
    else if (before === null) this.#silence([...passed.slice(0, -1), ...wasSilent.filter((edge) => edge === latest)])
    else if (before.due_date !== after.due_date || (!isOpen(before) && isOpen(after)))
      this.#silence(passed.slice(0, -1))
    else this.#silence(wasSilent)
    if (this.#overdue === null || !this.#isCleared(after, this.#overdue, today)) return []
    this.#overdue = null
    const emitted = details({ due_date: after.due_date, at: new Date(answeredAt).toISOString() })
    return how === 'ring' ? [`invoice.overdue_cleared ${emitted}`] : []
  }

  isDue(invoice: Invoice, today: number): boolean {
    return this.#due(invoice, today).length > 0
  }

  ring(invoice: Invoice, today: number): readonly string[] {
    const due = this.#due(invoice, today)
    if (due.length === 0) return []
    const ringing = new Set(due.map(({ key }) => key))
    const passed = this.#edges(invoice).filter(({ at, key }) => at <= today && !ringing.has(key))
    this.#silence([...passed.filter((edge) => !this.#hasRung(edge)), ...this.#kept(invoice)])
    for (const { key, type } of due) {
      this.#rung.add(key)
      if (type === 'due') this.#dueRang.add(invoice.due_date ?? '')
      if (type === 'overdue') this.#overdue = invoice.due_date
    }
    return due.map((edge) => this.#tell(edge, invoice.due_date ?? '', today))
  }

  /** Passed and unspent: of the leads the nearest, and none once the due day has begun. */
  #due(invoice: Invoice, today: number): readonly Edge[] {
    if (invoice.type !== 'invoice' || !isOpen(invoice)) return []
    const passed = this.#edges(invoice).filter(({ at }) => at <= today)
    const begun = passed.filter(({ type }) => type !== 'due_soon')
    const standing = begun.length > 0 ? begun : passed.slice(-1)
    return standing.filter((edge) => !this.#hasRung(edge) && !this.#silent.has(edge.key))
  }

  /** What was overdue and is so no more may be again, for whatever date. */
  #hasRung({ key, type }: Edge): boolean {
    return this.#rung.has(key) && (type !== 'overdue' || this.#overdue !== null)
  }

  #edges({ due_date: due }: Invoice): readonly Edge[] {
    if (due === null) return []
    const { leads, zone } = this.#account
    const begins = dayStart(due, zone)
    const soon = leads.map((lead): Edge => {
      const at = 'days' in lead ? dayStart(addDays(due, -lead.days), zone) : begins - lead.ms
      return { key: `${due} ${lead.text}`, at, type: 'due_soon', lead }
    })
    return [
      ...soon.toSorted((one, other) => one.at - other.at),
      { key: `${due} due`, at: begins, type: 'due' },
      { key: `${due} overdue`, at: dayStart(addDays(due, 1), zone), type: 'overdue' },
    ]
  }

  #tell({ type, at, lead }: Edge, due: string, today: number): string {
    const day = dayIn(today, this.#account.zone)
    const own = {
      due_soon: { lead: lead?.text ?? '', days_left: daysApart(day, due) },
      due: { reason: 'date' },
      overdue: { days_overdue: daysApart(due, day) },
    }
    return `invoice.${type} ${details({ ...own[type], due_date: due, ...lateness(at, today) })}`
  }

  #silence(edges: readonly Edge[]): void {
    this.#silent = new Set(edges.map(({ key }) => key))
  }

  #kept(invoice: Invoice): readonly Edge[] {
    return this.#edges(invoice).filter(({ key }) => this.#silent.has(key))
  }

  #isCleared({ type, status, due_date: due }: Invoice, overdue: string, today: number): boolean {
    if (type === 'credit_note') return true
    if (SETTLED.has(status)) return true
    if (!OPEN.has(status)) return false
    return due === null || (due !== overdue && due >= dayIn(today, this.#account.zone))
  }
}

function isOpen({ status }: Invoice): boolean {
  return OPEN.has(status)
}

/** Whether an invoice fetched by its id allows the calendar to ring for it as it is known. */
export function isConfirmed(fetched: Invoice, known: Invoice): boolean {
  return fetched.type === 'invoice' && isOpen(fetched) && same(fetched.due_date, known.due_date)
}
