import { createAdminApp } from '../../src/serve/admin-app.ts'
import type { AdminContext } from '../../src/serve/admin-context.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** To make one takes longer than to ask it. */
const APPS = new WeakMap<AdminContext, ReturnType<typeof createAdminApp>>()

/** Asks the admin interface as a browser on this machine. */
export async function ask(context: AdminContext, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const request = new Request(`http://localhost${path}`, {
    headers: { host: 'localhost', accept: 'text/html', ...headers },
  })
  const app = APPS.get(context) ?? createAdminApp(context)
  APPS.set(context, app)
  const response = await app.fetch(request, {
    peer: { address: '127.0.0.1', hangUp: () => undefined },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Addresses that the links of a page lead to, in their order. */
export function linksOf(html: string, label: string): readonly string[] {
  const links = html.matchAll(/<a\s([^>]*)>([\s\S]*?)<\/a\s*>/g)
  return [...links]
    .filter(([, , shown = '']) => shown.replaceAll(/<[^>]*>/g, '').trim() === label)
    .map(([, attributes = '']) => (/href="([^"]*)"/.exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&'))
}
