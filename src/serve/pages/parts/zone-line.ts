import { html } from 'hono/html'
import { wrongField } from './wrong-field.ts'
import { say, sayAround } from '../languages/say.ts'
import { choiceForm } from './choice-form.ts'
import type { Html } from './markup.ts'
import { text } from './text.ts'
import { viewer, type Viewer } from './viewer.ts'

/** The zone of every date of the page, named once, and the choice of another. */
export function zoneLine(): Html {
  const who = viewer()
  return html`<details class="zone" id="zone" ${who.wrongZone === null ? null : html`open`}>
    <summary>${sayAround('Times in {zone}', { zone: html`<strong>${who.timeZone}</strong>` })}</summary>
    ${zoneForm(who)}
  </details>`
}

/** The form gives a choice up where it is emptied. */
function zoneForm({ hasChosen, timeZone, wrongZone }: Viewer): Html {
  const wrong = wrongField('zone-problem', wrongZone === null ? null : wrongWords(wrongZone))
  return choiceForm(
    'tz',
    html`<div class="field">
        <label for="zone-field">${say('Time zone')}</label>
        <input
          id="zone-field"
          type="text"
          name="tz"
          value="${wrongZone ?? (hasChosen ? timeZone : '')}"
          placeholder="Europe/Paris"
          list="zones"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          ${wrong.marks}
          data-zones
        />
        <datalist id="zones"></datalist>
        ${wrong.line}
      </div>
      <button type="submit">${say('Show')}</button>
      <p class="small dim">${say('Left empty: the zone of the accounts, where they agree, else UTC.')}</p>`,
  )
}

function wrongWords(wrongZone: string): Html {
  return sayAround('{zone} is no time zone that is known here: give an IANA name such as Asia/Tokyo.', {
    zone: text(wrongZone, 60),
  })
}
