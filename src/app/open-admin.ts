import type { HttpServerOptions } from '../http-server.ts'
import { once } from '../once.ts'
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

/** What says how the process is: whoever watches over it asks for nothing else, and gives up soon. */
const ABOUT_HEALTH = new Set(['/healthz', '/readyz'])

/**
 * What answers at the admin interface. What that takes is loaded with the first request, part by part: all at once it would
 * hold up for a fifth of a second what polls and delivers. Questions about health wait for none of it.
 */
export async function openAdmin(
  context: AdminContext,
  store: Pick<AdminStore, 'endedSessions'>,
): Promise<HttpServerOptions['fetch']> {
  const ended = await store.endedSessions(context.clock.now())
  const access = once(async () => (await import('../serve/access/access.ts')).accessOf(context, ended))
  const health = once(async () => {
    const { createHealthApp } = await import('../serve/health-app.ts')
    return createHealthApp(context, await access())
  })
  const whole = once(async () => {
    for (const part of PARTS) {
      await part()
      await context.clock.sleep(0)
    }
    const { createAdminApp } = await import('../serve/admin-app.ts')
    return createAdminApp(context, await access())
  })
  return async (request, peer) => {
    const app = ABOUT_HEALTH.has(new URL(request.url).pathname) ? health : whole
    return (await app()).fetch(request, { peer })
  }
}
