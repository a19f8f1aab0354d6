import type { HttpServerOptions } from '../http-server.ts'
import type { AdminContext } from '../serve/admin-context.ts'
import type { AdminStore } from '../store/admin-port.ts'

/** What answers at the admin interface. What that takes is loaded with the first request. */
export async function openAdmin(
  context: AdminContext,
  store: Pick<AdminStore, 'endedSessions'>,
): Promise<HttpServerOptions['fetch']> {
  const ended = await store.endedSessions(context.clock.now())
  const load = async () => {
    const { createAdminApp } = await import('../serve/admin-app.ts')
    return createAdminApp(context, ended)
  }
  let app: ReturnType<typeof load> | null = null
  return async (request, peer) => (await (app ??= load())).fetch(request, { peer })
}
