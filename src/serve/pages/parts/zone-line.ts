import { html } from 'hono/html'
import type { Html } from './markup.ts'
import { text } from './text.ts'
import { viewer, type Viewer } from './viewer.ts'

/** The zone of every date of the page, named once, and the choice of another. */
export function zoneLine(): Html {
  const who = viewer()
  return html`<details class="zone" id="zone" ${who.wrongZone === null ? null : html`open`}>
    <summary>Times in <strong>${who.timeZone}</strong></summary>
    ${zoneForm(who)}
  </details>`
}

/** The form keeps what the page is asked for beside the zone; emptied, it gives a choice up. */
function zoneForm({ address, hasChosen, timeZone, wrongZone }: Viewer): Html {
  const others = Object.entries(address?.query ?? {}).filter(([name]) => name !== 'tz')
  return html`<form method="get" action="${address?.path ?? '/'}" data-whole>
    ${others.map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))}
    <div class="field">
      <label for="zone-field">Time zone</label>
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
        ${wrongZone === null ? null : html`aria-invalid="true" aria-describedby="zone-problem"`}
        data-zones
      />
      <datalist id="zones"></datalist>
      ${wrongZone === null ? null : html`<p class="field-problem" id="zone-problem">${wrongWords(wrongZone)}</p>`}
    </div>
    <button type="submit">Show</button>
    <p class="small dim">Left empty: the zone of the accounts, where they agree, else UTC.</p>
  </form>`
}

function wrongWords(wrongZone: string): Html {
  return html`${text(wrongZone, 60)} is no time zone that is known here: give an IANA name such as Asia/Tokyo.`
}
