import { html } from 'hono/html'
import { wrongField } from '../parts/wrong-field.ts'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { ended } from '../../problem.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { AskedWrongly } from '../../runtime-actions.ts'
import { valueOf, type Address } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'

/** A field of the form, which is a key of the subscription. */
interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isRequired?: true
}

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'acme-erp', isRequired: true },
  { name: 'url', label: 'URL', hint: 'https://erp.example.com/hooks', isRequired: true },
  { name: 'events', label: 'Events', hint: 'shipment.* invoice.due', isRequired: true },
  { name: 'accounts', label: 'Accounts', hint: 'all that may be' },
  { name: 'where', label: 'Where', hint: 'data.shipment.freight_mode == "ocean"' },
  { name: 'min_shift', label: 'Dates that move by', hint: '12h' },
]
const CHOICES = [
  { name: 'payload', label: 'Payload', values: ['full', 'thin', 'auto'] },
  { name: 'order', label: 'Order|sequence', values: ['none', 'subject'] },
  { name: 'start', label: 'Start', values: ['live', 'snapshot'] },
] as const

/** The form that a subscription is made by, with what is wrong of what was asked for last. */
export function subscribePage(asked: Address, wrong: AskedWrongly['problems'] = []): Page {
  const body = html`<h1>${say('Make a subscription')}</h1>
    <p>
      ${say('It is verified by a test before anything else is sent. Its secret is shown once, on the next page: keep it for who receives.')}
    </p>
    <section class="panel" aria-label="${say('Make a subscription')}">
      <form class="filters" method="post" action="/subscribe">
        ${FIELDS.map((field) => textField(field, asked, wrong))} ${CHOICES.map((choice) => choiceField(choice, asked))}
        ${problemsElsewhere(wrong)}
        <button type="submit">${say('Make')}</button>
      </form>
    </section>`
  return { title: say('Make a subscription'), under: 'Subscriptions', body }
}

function textField({ hint, isRequired, label, name }: Field, asked: Address, wrong: AskedWrongly['problems']): Html {
  const id = `subscribe-${name}`
  const said = wrong.filter(({ at }) => fieldOf(at) === name)
  const sentences = said.map(({ says }) => html`${text(ended(retold(says)), 400)} `)
  const { line, marks } = wrongField(`${id}-wrong`, said.length === 0 ? null : html`${sentences}`)
  return html`<div class="field grow">
    <label for="${id}">${say(label)}</label>
    <input
      id="${id}"
      type="text"
      name="${name}"
      value="${valueOf(asked, name) ?? ''}"
      placeholder="${say(hint)}"
      autocomplete="off"
      ${isRequired === true ? html`required` : null}
      ${marks}
    />
    ${line}
  </div>`
}

function choiceField({ label, name, values }: (typeof CHOICES)[number], asked: Address): Html {
  const id = `subscribe-${name}`
  return html`<div class="field">
    <label for="${id}">${say(label)}</label>
    <select id="${id}" name="${name}">
      ${values.map(
        (each) =>
          html`<option value="${each}" ${each === valueOf(asked, name) ? html`selected` : null}>${each}</option>`,
      )}
    </select>
  </div>`
}

/** What is wrong with a key that has no field. */
function problemsElsewhere(wrong: AskedWrongly['problems']): Html | null {
  const others = wrong.filter(({ at }) => FIELDS.every(({ name }) => name !== fieldOf(at)))
  return others.length === 0
    ? null
    : html`<p class="remedy">${others.map(({ says }) => html`${text(ended(retold(says)), 400)} `)}</p>`
}

function fieldOf(at: string): string {
  return at.split('.')[0] ?? ''
}

/** The keys that a form asks for: what is left empty is left out. */
export function askedKeys(asked: Address): JsonObject {
  const named = [...FIELDS, ...CHOICES].flatMap(({ name }): [string, string][] => {
    const value = valueOf(asked, name)?.trim() ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(named.map(([name, value]) => [name, LISTS.has(name) ? wordsOf(value) : value]))
}

const LISTS = new Set(['events', 'accounts'])

function wordsOf(value: string): string[] {
  return value.split(/[\s,]+/).filter((word) => word !== '')
}
