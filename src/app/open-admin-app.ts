import type { AdminContext } from '../serve/admin-context.ts'

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
  async () => await import('../serve/pages/overview/routes.ts'),
  async () => await import('../serve/pages/subscriptions/routes.ts'),
  async () => await import('../serve/pages/routes.ts'),
] as const

/** Loads the admin interface part by part: all at once it would hold up for a fifth of a second what polls and delivers. */
export async function openAdminApp(context: AdminContext) {
  for (const load of PARTS) {
    await load()
    await context.clock.sleep(0)
  }
  const { createAdminApp } = await import('../serve/admin-app.ts')
  return createAdminApp(context)
}
