import { html } from 'hono/html'
import { mayAct, type Asker } from '../../admin-context.ts'
import { say } from '../languages/say.ts'
import { linksFor } from './main-links.ts'
import type { Html } from './markup.ts'

const KEYS = [
  { keys: ['?'], does: 'show these keys' },
  { keys: ['/'], does: 'search' },
  { keys: ['Ctrl-K'], does: 'search, also from a field' },
  { keys: ['Esc'], does: 'leave the field' },
  { keys: ['j'], does: 'next row' },
  { keys: ['k'], does: 'row before' },
  { keys: ['Enter'], does: 'open the row' },
  { keys: ['a'], does: 'acknowledge the row', acts: true },
  { keys: ['n'], does: 'next page' },
  { keys: ['p'], does: 'page before' },
] as const

/** What `?` shows. */
export function keysDialog(asker: Asker): Html {
  const here = KEYS.filter((each) => !('acts' in each) || mayAct(asker))
  const going = linksFor(asker).map(({ key, name }) => ({
    keys: ['g', key],
    does: say('go to {page}', { page: say(name) }),
  }))
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">${say('Keys')}</h2>
    <dl class="keys">
      ${[...here, ...going].map(
        ({ does, keys }) =>
          html`<div>
            <dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${say(does)}</dd>
          </div>`,
      )}
    </dl>
    <form method="dialog"><button type="submit">${say('Close')}</button></form>
  </dialog>`
}
