import { html } from 'hono/html'
import { wrongField } from './wrong-field.ts'
import { LANGUAGES, type Language } from '../../../model/reader.ts'
import { say, sayAround } from '../languages/say.ts'
import { choiceForm } from './choice-form.ts'
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

/** The form gives a choice up where none is chosen. */
function languageForm({ chosenLanguage, wrongLanguage }: Viewer): Html {
  const wrong = wrongField('language-problem', wrongLanguage === null ? null : wrongWords(wrongLanguage))
  return choiceForm(
    'lang',
    html`<div class="field">
        <label for="language-field">${say('Language of the pages')}</label>
        <select id="language-field" name="lang" ${wrong.marks}>
          <option value="">${say('As the browser asks')}</option>
          ${LANGUAGES.map(
            (each) =>
              html`<option value="${each}" lang="${each}" ${each === chosenLanguage ? html`selected` : null}>
                ${NAMES[each]}
              </option>`,
          )}
        </select>
        ${wrong.line}
      </div>
      <button type="submit">${say('Choose')}</button>`,
  )
}

function wrongWords(wrongLanguage: string): Html {
  return sayAround('{language} is no language of these pages: give one of {languages}.', {
    language: text(wrongLanguage, 60),
    languages: LANGUAGES.join(', '),
  })
}
