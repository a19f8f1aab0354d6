import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import type { Content, Html } from './markup.ts'

export interface Action {
  /** Where the action is sent, by POST. */
  readonly path: string
  /** What the button is called. */
  readonly label: string
  /** What else is sent. */
  readonly fields?: Readonly<Record<string, string>>
  /** Loses something. */
  readonly isGrave?: boolean
  /** Leads to a page that asks first, and does nothing itself. */
  readonly asks?: boolean
}

/** A button that does something at once, or asks first. */
export function actionForm({ asks = false, fields = {}, isGrave = false, label, path }: Action): Html {
  return html`<form class="action" method="${asks ? 'get' : 'post'}" action="${path}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button type="submit" class="${isGrave ? 'grave' : 'plain'}">${say(label)}</button>
  </form>`
}

export interface Question {
  /** What will be done to how much, in one sentence. */
  readonly question: Content
  /** What follows from the action. */
  readonly detail: Content
  /** What *Confirm* does. */
  readonly action: Omit<Action, 'label'>
  /** Where *Cancel* leads. */
  readonly back: string
}

/** What acts on several rows says first how many, and asks. */
export function confirmation({ action, back, detail, question }: Question): Html {
  return html`<section class="panel confirm">
    <p class="lead">${question}</p>
    <p>${detail}</p>
    <div class="row">
      ${actionForm({ ...action, label: 'Confirm' })}<a class="button" href="${back}">${say('Cancel')}</a>
    </div>
  </section>`
}
