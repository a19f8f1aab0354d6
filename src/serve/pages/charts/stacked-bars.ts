import { html } from 'hono/html'
import type { Html } from '../parts/markup.ts'

export interface StackedBars {
  /** What the picture shows, in one sentence. */
  readonly label: string
  /** Colours are given in this order. */
  readonly series: readonly string[]
  readonly columns: readonly BarColumn[]
}

interface BarColumn {
  readonly name: string
  /** The amount of each series, in their order. */
  readonly amounts: readonly number[]
}

const HEIGHT = 100
const STEP = 10
const GAP = 1.5

/** A column for each part of time, stacked by series; a table beside it says the same. */
export function stackedBars({ columns, label }: StackedBars): Html {
  const largest = Math.max(...columns.map(({ amounts }) => sum(amounts)), 1)
  return html`<svg
    class="bars"
    viewBox="0 0 ${columns.length * STEP} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${columns.map((column, nth) => stack(column, { x: nth * STEP, largest }))}
  </svg>`
}

function stack({ amounts, name }: BarColumn, { largest, x }: { readonly largest: number; readonly x: number }): Html {
  let top = HEIGHT
  const parts = amounts.map((amount, nth) => {
    const height = (amount / largest) * HEIGHT
    top -= height
    return amount === 0
      ? html``
      : html`<rect
          class="series-${nth + 1}"
          x="${x + GAP / 2}"
          y="${top.toFixed(2)}"
          width="${STEP - GAP}"
          height="${height.toFixed(2)}"
        />`
  })
  return html`<g
    ><title>${name}: ${sum(amounts)}</title
    ><rect class="hover" x="${x}" y="0" width="${STEP}" height="${HEIGHT}" />${parts}</g
  >`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
