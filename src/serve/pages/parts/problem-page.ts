import { html } from 'hono/html'
import type { Page } from './layout.ts'
import { sentence } from './text.ts'

export interface PageProblem {
  readonly title: string
  /** What went wrong and what to do, in plain sentences. */
  readonly detail: string
  /** A way on. */
  readonly onward: { readonly path: string; readonly label: string }
}

export function problemPage({ detail, onward, title }: PageProblem): Page {
  const body = html`<h1>${title}</h1>
    <section class="panel">
      <p>${sentence(detail)}</p>
      <p><a class="button" href="${onward.path}">${onward.label}</a></p>
    </section>`
  return { title, under: null, body }
}
