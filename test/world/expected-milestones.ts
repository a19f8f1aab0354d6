import type { AccountFacts } from './account-facts.ts'
import { details, lateness, type RecordCalendar, type Turn } from './expected-calendar.ts'
import { MILESTONES, type Milestone, type Shipment } from './facts.ts'
import { dayIn, daysApart } from './zone-days.ts'

interface Edge {
  readonly key: string
  readonly milestone: Milestone
  readonly date: number
  readonly at: number
}

/** What the calendar owes for one shipment (contract section 4). */
export class Milestones implements RecordCalendar<Shipment> {
  readonly #account: AccountFacts
  readonly #rung = new Set<string>()
  #silent: ReadonlySet<string> = new Set()
  #atRisk = false

  constructor(account: AccountFacts) {
    this.#account = account
  }

  read({ after, how, today, answeredAt }: Turn<Shipment>): readonly string[] {
    const edges = this.#edges(after)
    const silent = edges.filter(({ key, at }) => (how === 'silent' ? at <= today : this.#silent.has(key)))
    this.#silent = new Set(silent.map(({ key }) => key))
    const slack = this.#slack(after)
    const atRisk = slack === null ? this.#atRisk : slack < 0
    if (atRisk === this.#atRisk) return []
    this.#atRisk = atRisk
    const emitted = details({ slack_days: slack, at: new Date(answeredAt).toISOString() })
    return how === 'ring' ? [`shipment.delivery_${atRisk ? 'at_risk' : 'back_on_track'} ${emitted}`] : []
  }

  isDue(shipment: Shipment, today: number): boolean {
    return this.due(shipment, today).length > 0
  }

  ring(shipment: Shipment, today: number): readonly string[] {
    return this.due(shipment, today).map(({ key, milestone, date, at }) => {
      this.#rung.add(key)
      const hours_late = Math.floor((today - date) / 3_600_000)
      const own = { milestone, hours_late, date: new Date(date).toISOString() }
      return `shipment.milestone_overdue ${details({ ...own, ...lateness(at, today) })}`
    })
  }

  /** Dates that have passed by the grace without the milestone, or a later one, being reached. */
  due(shipment: Shipment, today: number): readonly Edge[] {
    if (shipment.status !== 'booked' && shipment.status !== 'in_progress') return []
    const reached = MILESTONES.findLastIndex((name) => dateOf(shipment, name)?.status === 'actual')
    return this.#edges(shipment).filter(
      ({ key, at, milestone }) =>
        at <= today && MILESTONES.indexOf(milestone) > reached && !this.#rung.has(key) && !this.#silent.has(key),
    )
  }

  #edges(shipment: Shipment): readonly Edge[] {
    return MILESTONES.flatMap((milestone) => {
      const entry = dateOf(shipment, milestone)
      if (entry?.status !== 'planned' && entry?.status !== 'estimated') return []
      const date = Date.parse(entry.date)
      return [{ key: `${milestone} ${date}`, milestone, date, at: date + this.#account.graceMs }]
    })
  }

  /** Days between the estimate and the desired day; null where one of them is missing, or it is delivered. */
  #slack(shipment: Shipment): number | null {
    const desired = shipment.desired_delivery_date
    const delivery = dateOf(shipment, 'delivery')
    if (desired === null || delivery === null || delivery.status === 'actual') return null
    return daysApart(dayIn(Date.parse(delivery.date), this.#account.zone), desired)
  }
}

function dateOf(shipment: Shipment, milestone: Milestone): Shipment['main_tracking_dates']['pickup_date'] {
  return shipment.main_tracking_dates[`${milestone}_date`]
}
