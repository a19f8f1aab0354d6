import { html } from 'hono/html'
import { wrongField, type WrongMarks } from './wrong-field.ts'
import { cut } from '../../../message/words/short.ts'
import { visible } from '../../../printable.ts'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { link, PLACE, valueOf, valuesOf, type Address } from './address.ts'
import { wrongFields } from './field-problems.ts'
import type { Content, Html } from './markup.ts'
import { text } from './text.ts'
import { wordText } from './words.ts'

export type FilterField =
  /** Where `/` leads. */
  | { readonly kind: 'search'; readonly name: string; readonly label: string; readonly hint: string }
  | {
      readonly kind: 'text'
      readonly name: string
      readonly label: string
      readonly hint: string
    }
  /** Kept as it is. */
  | { readonly kind: 'hidden'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly label: string
      readonly choices: readonly Choice[]
      /** What the list is where nothing is chosen; left out: any. */
      readonly usual?: string
    }
  /** A calendar date. */
  | { readonly kind: 'date'; readonly name: string; readonly label: string }

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Choices that are called as they are written. */
export function choicesOf(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: wordText(value) }))
}

/** What a list shows, as a form that works without a script; names are those of the API's query. */
export function filterForm(address: Address, fields: readonly FilterField[]): Html {
  const wrong = wrongFields()
  return html`<form class="filters" method="get" action="${address.path}" role="search">
    ${fields.map((field) => filterField(field, wrong.get(field.name)?.value ?? valueOf(address, field.name)))}
    <button type="submit">${say('Show')}</button>
    ${problemsBeside(fields)}
  </form>`
}

/** What is wrong with parameters that none of these fields shows. */
export function problemsBeside(fields: readonly FilterField[]): Html {
  const shown = new Set(fields.flatMap(({ kind, name }) => (kind === 'hidden' ? [] : [name])))
  const elsewhere = [...wrongFields()].filter(([name]) => !shown.has(name))
  return html`${elsewhere.map(([name, { said, value }]) => html`<p class="field-problem" role="alert">${filterName(name)} <q>${text(value, 60)}</q>: ${text(retold(said), 300)}</p>`)}`
}

function wrongOf(name: string): WrongMarks {
  const said = wrongFields().get(name)?.said
  return wrongField(`wrong-${name}`, said === undefined ? null : text(retold(said), 300))
}

function filterField(field: FilterField, value: string | null): Html {
  if (field.kind === 'hidden') return html`<input type="hidden" name="${field.name}" value="${field.value}" />`
  const [id, wrong] = [`filter-${field.name}`, wrongOf(field.name)]
  const label = html`<label for="${id}">${say(field.label)}</label>`
  switch (field.kind) {
    case 'search':
      return html`<div class="field grow">
        ${label}<input
          id="${id}"
          type="search"
          name="${field.name}"
          value="${value ?? ''}"
          placeholder="${say(field.hint)}"
          autocomplete="off"
          ${wrong.marks}
        />
        ${wrong.line}
      </div>`
    case 'text':
      return html`<div class="field brief">
        ${label}<input
          id="${id}"
          type="text"
          name="${field.name}"
          value="${value ?? ''}"
          placeholder="${say(field.hint)}"
          autocomplete="off"
          ${wrong.marks}
        />
        ${wrong.line}
      </div>`
    case 'date':
      return html`<div class="field">
        ${label}<input id="${id}" type="date" name="${field.name}" value="${value ?? ''}" ${wrong.marks} />
        ${wrong.line}
      </div>`
    case 'choice':
      return html`<div class="field">
        ${label}<select id="${id}" name="${field.name}" data-submits ${wrong.marks}>
          <option value="">${say(field.usual ?? 'Any')}</option>
          ${withCurrent(field.choices, value).map(
            (each) =>
              html`<option value="${each.value}" ${each.value === value ? html`selected` : null}>
                ${visible(cut(each.label, 60))}
              </option>`,
          )}
        </select>
        ${wrong.line}
      </div>`
    default:
      return field satisfies never
  }
}

/** What the address asks for stands in the form, also where nobody offers it. */
function withCurrent(choices: readonly Choice[], value: string | null): readonly Choice[] {
  return value === null || choices.some((each) => each.value === value)
    ? choices
    : [...choices, { value, label: value }]
}

/** A value in a list that narrows the list to itself. */
export function filterBy(
  address: Address,
  filter: { readonly name: string; readonly value: string },
  shown: Content,
): Html {
  const here = valueOf(address, filter.name) === filter.value
  if (here) return html`${shown}`
  const href = link(address, { ...PLACE, [filter.name]: filter.value })
  return html`<a class="value" href="${href}">${shown}</a>`
}

/** What a name of the address is called. */
function filterName(name: string): string {
  return name === 'q' ? say('search') : say(wordText(name))
}

/** The filters of which a list takes several values; of all others the first. */
const OF_SEVERAL: ReadonlySet<string> = new Set(['type', 'state'])

/** The filters in force, each with the way out of it. */
export function filtersInForce(address: Address, names: readonly string[]): Html {
  const inForce = names.flatMap((name) => {
    const values = valuesOf(address, name).slice(0, OF_SEVERAL.has(name) ? undefined : 1)
    return values.map((value) => ({ name, value, others: values.filter((each) => each !== value) }))
  })
  if (inForce.length === 0) return html``
  return html`<ul class="chips" aria-label="${say('Filters')}">
    ${inForce.map(
      ({ name, others, value }) =>
        html`<li>
          <a href="${link(address, { ...PLACE, [name]: others })}" title="${say('Take this filter out')}"
            ><span class="dim">${filterName(name)}</span> ${text(value, 60)} <span aria-hidden="true">×</span
            ><span class="unseen">${say(', take out')}</span></a
          >
        </li>`,
    )}
  </ul>`
}
