import { z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import { EVENT_CATALOGUE } from '../../model/event-catalogue.ts'
import type { EventTypeInfo } from '../../model/event-type-info.ts'
import type { AdminEnv } from '../admin-env.ts'
import { payload } from './log-shapes.ts'

const DESCRIPTION = `What Shipbell knows and does. Programs send \`Authorization: Bearer TOKEN\`: with \`http.token\` of the
configuration everything, with \`http.viewer_token\` what changes nothing. Lists are read part by part: \`next\` of one is
\`cursor\` of the one after it. Times are ISO 8601 in UTC. Parameters that are not known are ignored.`

/** The OpenAPI 3.1 document of these routes, with a webhook for every event type. */
export function openApiDocument(routes: OpenAPIHono<AdminEnv>, version: string) {
  const { openAPIRegistry: registry } = routes
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  for (const info of EVENT_CATALOGUE) registry.registerWebhook(webhook(info))
  return routes.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Shipbell', version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
  })
}

function webhook({ type, resource, when, family }: EventTypeInfo): RouteConfig {
  const subject = z.looseObject({ resource: z.literal(resource) })
  const schema = payload.and(z.looseObject({ type: z.literal(type), subject }))
  return {
    method: 'post',
    path: type,
    summary: when,
    tags: [family],
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: { '2XX': { description: 'It was received.' } },
  }
}
