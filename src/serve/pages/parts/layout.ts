import { html } from 'hono/html'
import { cut } from '../../../message/words/short.ts'
import { visible } from '../../../printable.ts'
import { mayAct, type Asker } from '../../admin-context.ts'
import { say, sayAround } from '../languages/say.ts'
import { keysDialog } from './keys-dialog.ts'
import { languageChoice } from './language-choice.ts'
import { linksFor, type MainLink } from './main-links.ts'
import type { Notice } from '../notice.ts'
import type { Html } from './markup.ts'
import { sentence } from './text.ts'
import { instant } from './time.ts'
import { viewer } from './viewer.ts'
import { zoneLine } from './zone-line.ts'

export interface Page {
  /** What the browser's tab says before `· Shipbell`. */
  readonly title: string
  /** The link of the navigation that it belongs under; null: none. */
  readonly under: MainLink | null
  readonly body: Html
  /** A document that the page shows in a frame of its own; left out: none. */
  readonly framed?: string
}

export interface Frame {
  /** Who asks; null: nobody is signed in, as on the page that signs in. */
  readonly asker: Asker | null
  /** What an action came to that led here. */
  readonly notice?: Notice | null
  /** What the clock of a simulated world shows; null or left out: time is real. */
  readonly simulatedAt?: number | null
  readonly version: string
}

/** A whole page: the same head, navigation and foot around what it shows. */
export function layout(
  { body, title, under }: Page,
  { asker, notice = null, simulatedAt = null, version }: Frame,
): Html {
  return html`<!doctype html>
    <html lang="${viewer().language}">
      <head>
        <meta charset="utf-8" />
        <title>${visible(cut(title, LONGEST_TITLE))} · Shipbell</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/assets/bell.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/desk.css" />
        <script type="module" src="/assets/desk.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">${say('Skip to the page')}</a>
        <header class="top">
          <a class="brand" href="/"
            ><svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="${BELL}" /></svg> Shipbell</a
          >
          ${asker === null ? null : html`${navigation(under, asker)} ${searchBox()} ${whoAsks(asker)}`}
        </header>
        ${asker === null ? null : zoneLine()}
        <main id="main" tabindex="-1">
          ${simulatedAt === null ? null : simulatedLine(simulatedAt)}${notice === null ? null : noticeBar(notice)}${body}
        </main>
        <footer class="foot">
          <span>Shipbell ${version}</span>
          ${languageChoice()}
          ${asker === null ? null : html`<a href="/api/openapi.json">API</a><button type="button" class="quiet" data-keys hidden>${say('Keys')} <kbd>?</kbd></button>`}
        </footer>
        ${asker === null ? null : keysDialog(asker)}
      </body>
    </html>`
}

const LONGEST_TITLE = 60

const BELL =
  'M12 2a2 2 0 0 0-2 2v.6A6 6 0 0 0 6 10v5l-2 2v1h16v-1l-2-2v-5a6 6 0 0 0-4-5.4V4a2 2 0 0 0-2-2Zm-2 18a2 2 0 0 0 4 0Z'

const GLASS = 'M10 3a7 7 0 1 0 4.2 12.6l5.1 5.1 1.4-1.4-5.1-5.1A7 7 0 0 0 10 3Zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z'

function navigation(under: MainLink | null, asker: Asker): Html {
  return html`<nav class="main" aria-label="${say('Main')}">
    <ul>
      ${linksFor(asker).map(
        ({ key, name, path }) =>
          html`<li>
            <a href="${path}" data-go="${key}" ${name === under ? html`aria-current="page"` : null}>${say(name)}</a>
          </li>`,
      )}
    </ul>
  </nav>`
}

function simulatedLine(at: number): Html {
  return html`<p class="notice">
    ${sayAround('This is a demo: its time is simulated and runs fast. There it is {instant} now.', { instant: instant(at) })}
  </p>`
}

/** Records of every kind, from every page: `/` and Ctrl-K lead to it. */
function searchBox(): Html {
  return html`<form class="find" method="get" action="/search" role="search" aria-label="${say('All records')}">
    <input
      type="search"
      name="q"
      aria-label="${say('Search')}"
      placeholder="${say('Search')}"
      autocomplete="off"
      aria-keyshortcuts="/ Control+K Meta+K"
      data-find
    /><button type="submit" class="quiet">
      <svg class="glass" viewBox="0 0 24 24" aria-hidden="true"><path d="${GLASS}" /></svg
      ><span class="unseen">${say('Find')}</span>
    </button>
  </form>`
}

function noticeBar({ text, tone }: Notice): Html {
  return html`<p class="notice ${tone}" role="status">${sentence(text)}</p>`
}

function whoAsks(asker: Asker): Html {
  return html`<div class="who">
    <span
      id="stream"
      class="stream"
      role="status"
      data-live-word="${say('Live')}"
      data-connecting-word="${say('Connecting')}"
      data-lost-word="${say('Not live')}"
    ></span>
    ${mayAct(asker) ? null : html`<span class="badge dim" title="${say('You can look, and change nothing.')}">${say('read-only')}</span>`}
    ${
      asker.role === 'reader'
        ? null
        : html`<form method="post" action="/logout">
            <button type="submit" class="quiet">${say('Sign out')}</button>
          </form>`
    }
  </div>`
}
