import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import { createAdminApp } from '../../src/serve/admin-app.ts'
import type { AdminContext } from '../../src/serve/admin-context.ts'

/** The admin interface as it is served, for a browser. */
export async function serveDesk(context: AdminContext): Promise<HttpServer> {
  const app = createAdminApp(context)
  return startHttpServer({
    host: '127.0.0.1',
    port: 0,
    purpose: 'the desk',
    remedy: 'free the port',
    fetch: async (request, peer) => app.fetch(request, { peer }),
  })
}
