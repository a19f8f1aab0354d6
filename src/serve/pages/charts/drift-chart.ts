import { html } from 'hono/html'
import type { Html } from '../parts/markup.ts'

/** One value that a date had. */
export interface DriftPoint {
  /** When the value was seen first, and what the date was then. */
  readonly seenAt: number
  readonly date: number
  readonly status: string
  readonly isTold: boolean
  /** What a person reads who points at it. */
  readonly title: string
}

export interface DriftChart {
  /** What the picture shows, in one sentence. */
  readonly label: string
  /** Oldest first, one at least. */
  readonly points: readonly DriftPoint[]
  /** The time that the picture spans. */
  readonly from: number
  readonly to: number
}

const WIDTH = 1_000
const HEIGHT = 100
const EDGE = 12
const KNOWN_STATUSES = new Set(['planned', 'estimated', 'actual', 'problem'])

/**
 * A date as a stepped line: along lies time, upwards the later dates. It is stretched to its place, so that lines keep their
 * width by themselves and dots are lines without length.
 */
export function driftChart({ from, label, points, to }: DriftChart): Html {
  const dates = points.map(({ date }) => date)
  const [least, most] = [Math.min(...dates), Math.max(...dates)]
  const x = (at: number): number => round(((at - from) / Math.max(to - from, 1)) * (WIDTH - 2 * EDGE) + EDGE)
  const y = (date: number): number =>
    most === least ? HEIGHT / 2 : round(HEIGHT - EDGE - ((date - least) / (most - least)) * (HEIGHT - 2 * EDGE))
  return html`<svg
    class="drift"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${points.map(({ date, seenAt, status }, nth) => {
      const next = points[nth + 1]
      const end = x(next?.seenAt ?? to)
      const level = html`<path class="level ${statusClass(status)}" d="M${x(seenAt)} ${y(date)}H${end}" />`
      return next === undefined ? level : html`${level}<path class="jump" d="M${end} ${y(date)}V${y(next.date)}" />`
    })}
    ${points.map(
      ({ date, isTold, seenAt, status, title }) =>
        html`<path class="dot ${statusClass(status)} ${isTold ? 'told' : 'silent'}" d="M${x(seenAt)} ${y(date)}h0.01"
          ><title>${title}</title></path
        >`,
    )}
  </svg>`
}

function statusClass(status: string): string {
  return KNOWN_STATUSES.has(status) ? status : 'estimated'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
