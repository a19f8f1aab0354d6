import type { OpenAPIHono } from '@hono/zod-openapi'
import { EVENT_CATALOGUE } from '../../model/event-catalogue.ts'
import { EVENT_PARTS, eventName, eventSchema } from '../../model/payload-schema/event-schema.ts'
import { mapFields, withRefs } from '../../model/payload-schema/schema.ts'
import type { AdminEnv } from '../admin-env.ts'
import { SCHEMAS } from './parts.ts'

type CatalogueEntry = (typeof EVENT_CATALOGUE)[number]

const DESCRIPTION = `What Shipbell knows and does. Programs send \`Authorization: Bearer TOKEN\`: with \`http.token\` of the
configuration everything, with \`http.viewer_token\` what changes nothing. Lists are read part by part: \`next\` of one is
\`cursor\` of the one after it. Times are ISO 8601 in UTC. Parameters that are not known are ignored.`

/** The OpenAPI 3.1 document of these routes, with a webhook for every event type. */
export function openApiDocument(routes: OpenAPIHono<AdminEnv>, version: string) {
  routes.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  const document = routes.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Shipbell', version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
  })
  const { components } = document
  const parts = mapFields(EVENT_PARTS, (part) => withRefs(part, SCHEMAS))
  return {
    ...document,
    components: { ...components, schemas: { ...components?.schemas, ...parts } },
    webhooks: Object.fromEntries(EVENT_CATALOGUE.map((info) => [info.type, { post: webhook(info) }])),
  }
}

function webhook({ type, when, family }: CatalogueEntry) {
  const schema = withRefs(eventSchema(type), SCHEMAS)
  return {
    operationId: `on${eventName(type)}`,
    summary: when,
    tags: [family],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It was received.' } },
  }
}
