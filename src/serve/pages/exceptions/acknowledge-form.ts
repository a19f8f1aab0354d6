import { html } from 'hono/html'
import { wrongField } from '../parts/wrong-field.ts'
import { LONGEST_NOTE } from '../../../model/exception.ts'
import { readPointAhead } from '../../../model/point-in-time.ts'
import { say } from '../languages/say.ts'
import { valueOf, type Address } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { viewer } from '../parts/viewer.ts'

export const ACKNOWLEDGE_PATH = '/exceptions/acknowledge'
export const REOPEN_PATH = '/exceptions/reopen'

/** How many exceptions one form acknowledges. */
const MOST_EXCEPTIONS = 50

/** What a form asked for. */
export interface AskedAcknowledgement {
  readonly exceptions: readonly string[]
  readonly note: string
  readonly until: string
}

/** A form that could not be taken as it was sent, and why: it is shown again as it was filled in. */
export interface RefusedForm extends AskedAcknowledgement {
  readonly wrong: Readonly<Partial<Record<'exception' | 'note' | 'until', string>>>
}

export function askedBy(form: Address): AskedAcknowledgement {
  return {
    exceptions: (form.query['exception'] ?? []).slice(0, MOST_EXCEPTIONS),
    note: valueOf(form, 'note') ?? '',
    until: valueOf(form, 'until') ?? '',
  }
}

/** What somebody says, or what of it cannot be taken. */
export function readAcknowledgement(
  asked: AskedAcknowledgement,
  now: number,
): { readonly note: string | null; readonly until: number | null } | RefusedForm {
  const note = asked.note.trim()
  const named = asked.until.trim()
  const until = named === '' ? null : readPointAhead(named, now, viewer().timeZone)
  const wrong: RefusedForm['wrong'] = {
    ...(asked.exceptions.length === 0 && { exception: say('Tick what you see to.') }),
    ...(note.length > LONGEST_NOTE && {
      note: say('The note has {n} characters: at most {most} are kept.', { n: note.length, most: LONGEST_NOTE }),
    }),
    ...(named !== '' && until === null && { until: say(UNREADABLE) }),
    ...(until !== null && until <= now && { until: say('That is past: name a time to come, or none.') }),
  }
  return Object.keys(wrong).length > 0 ? { ...asked, wrong } : { note: note === '' ? null : note, until }
}

const UNREADABLE =
  'That is no time: give a duration (2d, 12h), a day (2026-12-01) or a date and time (2026-12-01T08:00). Empty: until it is well again.'

interface FormAbout {
  /** Tells the form apart from others of the page. */
  readonly id: string
  /** What is acknowledged, in words. */
  readonly about: string
  readonly exceptions: readonly string[]
  /** The page that is shown again. */
  readonly back: string
  readonly refused: RefusedForm | null
}

/** What takes a note and until when somebody sees to it. `a` leads to its first field. */
export function acknowledgeForm({ back, exceptions, id, refused, ...about }: FormAbout, chosen: Html | null): Html {
  return html`<form
    class="acknowledge"
    method="post"
    action="${ACKNOWLEDGE_PATH}"
    aria-label="${say('Acknowledge {record}', { record: about.about })}"
  >
    <input type="hidden" name="back" value="${back}" />
    ${chosen ?? exceptions.map((each) => html`<input type="hidden" name="exception" value="${each}" />`)}
    ${refused?.wrong.exception === undefined ? null : html`<p class="field-problem">${refused.wrong.exception}</p>`}
    <div class="fields">
      ${textInput({ id, name: 'note', label: say('Note'), hint: say('Note'), refused })}
      ${textInput({ id, name: 'until', label: say('Until'), hint: say('Until: 2d'), refused })}
      <button type="submit" class="plain">${say('Acknowledge')}</button>
    </div>
  </form>`
}

interface Input {
  readonly id: string
  readonly name: 'note' | 'until'
  readonly label: string
  readonly hint: string
  readonly refused: RefusedForm | null
}

function textInput({ hint, id, label, name, refused }: Input): Html {
  const input = `${name}-${id}`
  const { line, marks } = wrongField(`${input}-wrong`, refused?.wrong[name] ?? null)
  return html`<div class="${name}">
    <label class="unseen" for="${input}">${label}</label>
    <input
      id="${input}"
      type="text"
      name="${name}"
      value="${refused?.[name] ?? ''}"
      placeholder="${hint}"
      autocomplete="off"
      ${name === 'note' ? html`data-acknowledge` : null}
      ${marks}
      ${marks === null ? null : html`autofocus`}
    />
    ${line}
  </div>`
}
