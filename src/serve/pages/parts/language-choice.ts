import { html } from 'hono/html'
import { LANGUAGES, type Language } from '../../../model/reader.ts'
import { say, sayAround } from '../languages/say.ts'
import type { Html } from './markup.ts'
import { text } from './text.ts'
import { viewer, type Viewer } from './viewer.ts'

/** Languages as those call them who speak them. */
const NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
  es: 'Español',
}

/** The language of the page, and the choice of another. */
export function languageChoice(): Html {
  const who = viewer()
  const name = NAMES[who.language]
  return html`<details class="language" id="language" ${who.wrongLanguage === null ? null : html`open`}>
    <summary>${name}<span class="unseen">, ${say('language')}</span></summary>
    ${languageForm(who)}
  </details>`
}

/** The form keeps what the page is asked for beside the language; with none chosen it gives a choice up. */
function languageForm({ address, chosenLanguage, wrongLanguage }: Viewer): Html {
  const others = Object.entries(address?.query ?? {}).filter(([name]) => name !== 'lang')
  return html`<form method="get" action="${address?.path ?? '/'}" data-whole>
    ${others.map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))}
    <div class="field">
      <label for="language-field">${say('Language of the pages')}</label>
      <select
        id="language-field"
        name="lang"
        ${wrongLanguage === null ? null : html`aria-invalid="true" aria-describedby="language-problem"`}
      >
        <option value="">${say('As the browser asks')}</option>
        ${LANGUAGES.map(
          (each) =>
            html`<option value="${each}" lang="${each}" ${each === chosenLanguage ? html`selected` : null}>
              ${NAMES[each]}
            </option>`,
        )}
      </select>
      ${wrongLanguage === null ? null : html`<p class="field-problem" id="language-problem">${wrongWords(wrongLanguage)}</p>`}
    </div>
    <button type="submit">${say('Choose')}</button>
  </form>`
}

function wrongWords(wrongLanguage: string): Html {
  return sayAround('{language} is no language of these pages: give one of {languages}.', {
    language: text(wrongLanguage, 60),
    languages: LANGUAGES.join(', '),
  })
}
