import { html } from 'hono/html'
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
  const body = html`<h1>Sign in</h1>
    <form method="post" action="/login" class="panel">
      ${problem === null ? null : html`<p role="alert">${problem}</p>`}
      <input type="hidden" name="next" value="${next}" />
      <p>
        <label for="token">Token</label>
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
        The one configured as <code>http.token</code>, <code>http.viewer_token</code> to look only, or one of
        <code>http.tokens</code> that you were given.
      </p>
      <p><button type="submit">Sign in</button></p>
    </form>`
  return layout({ title: 'Sign in', under: null, body }, { asker: null, version })
}
