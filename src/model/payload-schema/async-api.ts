import { EVENT_CATALOGUE } from '../event-catalogue.ts'
import type { JsonObject } from '../json.ts'
import { EVENT_PARTS, eventName, eventSchema } from './event-schema.ts'
import { described, mapFields, object, TEXT, withRefs, type Fields } from './schema.ts'

const SCHEMAS = '#/components/schemas/'
const HEADERS = 'DeliveryHeaders'

const DESCRIPTION = `Every event that Shipbell sends, as one POST each to the address of a subscription. Bodies are signed by
Standard Webhooks (https://www.standardwebhooks.com).`

const DELIVERY_HEADERS = object({
  'webhook-id': described('The id of the event: the same on every attempt.', TEXT),
  'webhook-timestamp': described('When this attempt was made, in seconds since the Unix epoch.', TEXT),
  'webhook-signature': described('`v1,…` and `v1a,…`, separated by spaces.', TEXT),
})

/** An AsyncAPI 3.0 document of what a daemon of this version sends. Its schemas are those of payloads in full. */
export function asyncApiDocument(version: string): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Shipbell', version, description: DESCRIPTION, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    channels: {
      events: {
        address: null,
        description: 'The address of a subscription: `url` in the configuration.',
        messages: byName((name) => ({ $ref: `#/components/messages/${name}` })),
      },
    },
    operations: {
      sendEvent: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        summary: 'An event is delivered until it is answered with 2xx.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages: byName((name, { type, when, family }) => ({
        name: type,
        summary: when,
        tags: [{ name: family }],
        headers: { $ref: `${SCHEMAS}${HEADERS}` },
        payload: { $ref: `${SCHEMAS}${name}` },
      })),
      schemas: mapFields({ ...EVENT_PARTS, ...eventSchemas(), [HEADERS]: DELIVERY_HEADERS }, (schema) =>
        withRefs(schema, SCHEMAS),
      ),
    },
  }
}

function eventSchemas(): Fields {
  return Object.fromEntries(EVENT_CATALOGUE.map(({ type }) => [eventName(type), eventSchema(type)]))
}

function byName(of: (name: string, info: (typeof EVENT_CATALOGUE)[number]) => JsonObject): JsonObject {
  return Object.fromEntries(EVENT_CATALOGUE.map((info) => [eventName(info.type), of(eventName(info.type), info)]))
}
