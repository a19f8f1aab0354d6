import type { HttpServerOptions } from '../http-server.ts'
import type { AdminContext } from '../serve/admin-context.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'

/** Each takes some milliseconds; what they share comes first. */
const PARTS = [
  async () => await import('../serve/access/session-routes.ts'),
  async () => await import('../serve/api/parts.ts'),
  async () => await import('../serve/api/log-routes.ts'),
  async () => await import('../serve/api/record-routes.ts'),
  async () => await import('../serve/api/status-routes.ts'),
  async () => await import('../serve/api/routes.ts'),
  async () => await import('../serve/pages/show-page.ts'),
  async () => await import('../serve/pages/events/routes.ts'),
  async () => await import('../serve/pages/deliveries/routes.ts'),
  async () => await import('../serve/pages/records/routes.ts'),
  async () => await import('../serve/pages/accounts/routes.ts'),
  async () => await import('../serve/pages/today/routes.ts'),
  async () => await import('../serve/pages/system/routes.ts'),
  async () => await import('../serve/pages/subscriptions/routes.ts'),
  async () => await import('../serve/pages/routes.ts'),
] as const

/**
 * What answers at the admin interface. What that takes is loaded with the first request, part by part: all at once it would
 * hold up for a fifth of a second what polls and delivers.
 */
export async function openAdmin(
  context: AdminContext,
  store: Pick<AdminStore, 'endedSessions'>,
): Promise<HttpServerOptions['fetch']> {
  const ended = await store.endedSessions(context.clock.now())
  const load = async () => {
    for (const part of PARTS) {
      await part()
      await context.clock.sleep(0)
    }
    const { createAdminApp } = await import('../serve/admin-app.ts')
    return createAdminApp(context, ended)
  }
  let app: ReturnType<typeof load> | null = null
  return async (request, peer) => (await (app ??= load())).fetch(request, { peer })
}
