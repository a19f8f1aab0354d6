import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { roughText, watchedText } from '../parts/words.ts'
import type { AccountPlan, ResourcePlan } from '../../../report/plan.ts'
import { percent } from '../../../report/plan-words.ts'
import type { Html } from '../parts/markup.ts'

const WIDTH = 1_000
const HEIGHT = 12

/** Where the requests of an hour go, by resource, beside what may be sent; the table behind it says the same. */
export function requestBars(plan: AccountPlan): Html {
  const { allowedPerHour, ceiling, neededPerHour, requestsPerHour, resources } = plan
  const full = ceiling === null ? allowedPerHour : allowedPerHour / Math.max(ceiling.fraction, 0.001)
  const largest = Math.max(full, neededPerHour, requestsPerHour, 1)
  return html`<div class="plan-bars">
    <ul>
      ${resources.map((resource) => resourceRow(resource, largest))}
      <li class="total">
        <span>${say('in all')}</span>
        ${totalBar({ allowed: allowedPerHour, full, expected: requestsPerHour, needed: neededPerHour }, largest)}
        <span class="number"
          >${roughText(requestsPerHour)}
          <span class="dim">${say('of {all}', { all: roughText(allowedPerHour) })}</span></span
        >
      </li>
    </ul>
    <ul class="legend small">
      ${
        neededPerHour > allowedPerHour
          ? html`<li>
              <span class="swatch over"></span>
              ${say('what the promises would take: {n} an hour', { n: roughText(neededPerHour) })}
            </li>`
          : null
      }
      <li><span class="swatch promised"></span> ${say('to keep the promises')}</li>
      <li><span class="swatch likely"></span> ${say('where change is likely')}</li>
      <li>
        <span class="swatch allowed"></span> ${say('what may be sent: {n} an hour', { n: roughText(allowedPerHour) })}
      </li>
      ${ceiling === null ? null : html`<li><span class="swatch full"></span> ${say('the budget, of which the platform bears {part}', { part: percent(ceiling.fraction) })}</li>`}
    </ul>
  </div>`
}

function resourceRow({ requestsPerHour, targetPerHour, watch }: ResourcePlan, largest: number): Html {
  const promised = Math.min(targetPerHour, requestsPerHour)
  const [first, second] = [scaled(promised, largest), scaled(requestsPerHour - promised, largest)]
  return html`<li>
    <span>${watchedText(watch)}</span>
    <svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="${WIDTH}" height="${HEIGHT}" />
      <rect class="promised" width="${first}" height="${HEIGHT}" />
      <rect class="likely" x="${first}" width="${second}" height="${HEIGHT}" />
    </svg>
    <span class="number">${roughText(requestsPerHour)}</span>
  </li>`
}

interface Totals {
  readonly allowed: number
  readonly full: number
  readonly expected: number
  readonly needed: number
}

function totalBar({ allowed, expected, full, needed }: Totals, largest: number): Html {
  const marks =
    full > allowed
      ? ([
          ['allowed', allowed],
          ['full', full],
        ] as const)
      : ([['allowed', allowed]] as const)
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="${WIDTH}" height="${HEIGHT}" />
    <rect class="${needed > allowed ? 'over' : 'promised'}" width="${scaled(needed, largest)}" height="${HEIGHT}" />
    ${expected > needed ? html`<rect class="likely" x="${scaled(needed, largest)}" width="${scaled(expected - needed, largest)}" height="${HEIGHT}" />` : null}
    ${marks.map(([kind, at]) => html`<rect class="mark ${kind}" x="${Math.max(scaled(at, largest) - 3, 0)}" width="3" height="${HEIGHT}" />`)}
  </svg>`
}

function scaled(value: number, largest: number): number {
  return Math.round((Math.max(value, 0) / largest) * WIDTH)
}
