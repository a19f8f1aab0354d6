import { html } from 'hono/html'
import { say, sayAround } from '../pages/languages/say.ts'
import { layout } from '../pages/parts/layout.ts'
import type { Html } from '../pages/parts/markup.ts'

export interface LoginForm {
  /** Where signing in leads. */
  readonly next: string
  /** Why signing in did not work; null: nothing was tried yet. */
  readonly problem: string | null
  readonly version: string
}

export function loginPage({ next, problem, version }: LoginForm): Html {
  const body = html`<h1>${say('Sign in')}</h1>
    <form method="post" action="/login" class="panel">
      ${problem === null ? null : html`<p class="alert" role="alert">${say(problem)}</p>`}
      <input type="hidden" name="next" value="${next}" />
      <p>
        <label for="token">${say('Token')}</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          aria-describedby="token-help"
          required
          autofocus
        />
      </p>
      <p id="token-help">
        ${sayAround(
          'The one configured as {token}, {viewer_token} to look only, or one of {tokens} that you were given.',
          {
            token: html`<code>http.token</code>`,
            viewer_token: html`<code>http.viewer_token</code>`,
            tokens: html`<code>http.tokens</code>`,
          },
        )}
      </p>
      <p><button type="submit">${say('Sign in')}</button></p>
    </form>`
  return layout({ title: say('Sign in'), under: null, body }, { asker: null, version })
}
