import { html } from 'hono/html'
import type { Content, Html } from './markup.ts'

/** What a form shows of a field that is wrong: attributes of the field, and a line behind it. */
export interface WrongMarks {
  readonly marks: Html | null
  readonly line: Html | null
}

/** The marks of a field, by the id of the line that says what is wrong with it; `said` null: nothing is. */
export function wrongField(id: string, said: Content | null): WrongMarks {
  if (said === null) return { marks: null, line: null }
  return {
    marks: html`aria-invalid="true" aria-describedby="${id}"`,
    line: html`<p class="field-problem" id="${id}" role="alert">${said}</p>`,
  }
}
