import { html } from 'hono/html'

export interface LoginForm {
  /** Where signing in leads. */
  readonly next: string
  /** Why it did not work; null: nothing was tried yet. */
  readonly problem: string | null
}

export function loginPage({ next, problem }: LoginForm) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sign in · Shipbell</title>
        <link rel="stylesheet" href="/assets/desk.css" />
        <link rel="icon" href="/assets/bell.svg" type="image/svg+xml" />
      </head>
      <body class="login">
        <main>
          <h1>Shipbell</h1>
          ${problem === null ? '' : html`<p role="alert" class="alert">${problem}</p>`}
          <form method="post" action="/login">
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
              The one configured as <code>http.token</code>, or <code>http.viewer_token</code> to look only.
            </p>
            <p><button type="submit">Sign in</button></p>
          </form>
        </main>
      </body>
    </html>`
}
