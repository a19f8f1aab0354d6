import { isDeepStrictEqual } from 'node:util'
import nock from 'nock'
import { afterEach, beforeEach, expect } from 'vitest'
import { eventTypeInfo, type EventType } from '../../../../src/model/event-catalogue.ts'
import { eventDocumentDraft07 } from '../../../../src/model/payload-schema/event-documents.ts'
import { TOKEN } from './svix-ledger.ts'

export const SVIX = 'https://svix.example'
const MESSAGES = '/api/v1/app/acme/msg'

/** For each test of the file nock is the only network. A request it does not expect fails the test, and so does one it misses. */
export function nockAsSvix(): void {
  let unmatched: string[] = []
  const onUnmatched = ({ method, url }: Request): void => void unmatched.push(`${method} ${url}`)
  beforeEach(() => {
    unmatched = []
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
    nock.emitter.on('no match', onUnmatched)
  })
  afterEach(() => {
    const pending = nock.pendingMocks()
    nock.emitter.off('no match', onUnmatched)
    nock.cleanAll()
    nock.enableNetConnect()
    nock.restore()
    expect({ unmatched, pending }).toEqual({ unmatched: [], pending: [] })
  })
}

function svix(): nock.Scope {
  return nock(SVIX, { reqheaders: { authorization: `Bearer ${TOKEN}` } })
}

/** The request that ensures the application. */
export function application(uid = 'acme'): nock.Interceptor {
  return svix().post('/api/v1/app?get_if_exists=true', { name: uid, uid })
}

/** The request that ensures an event type, with its schema. */
export function eventType(type: EventType = 'shipment.status_changed'): nock.Interceptor {
  const description = eventTypeInfo(type)?.when ?? ''
  return svix().post('/api/v1/event-type', { name: type, description, ...schemasOf(type) })
}

/** The request that brings the schema of an event type up to date. */
export function eventTypeSchema(type: EventType = 'shipment.status_changed'): nock.Interceptor {
  return svix().patch(`/api/v1/event-type/${type}`, schemasOf(type))
}

function schemasOf(type: EventType): { schemas: Record<string, nock.DataMatcherMap> } {
  return { schemas: { 1: JSON.parse(JSON.stringify(eventDocumentDraft07(type))) } }
}

/** The request that creates the message of an event. */
export function message(eventId: string, about: nock.DataMatcherMap = {}): nock.Interceptor {
  const matches = (body: Record<string, unknown>): boolean =>
    body['eventId'] === eventId && Object.entries(about).every(([name, value]) => Object.is(body[name], value))
  return svix().post(`${MESSAGES}?with_content=false`, matches)
}

/** The request that creates a message, with exactly this body. */
export function messageOf(body: nock.DataMatcherMap): nock.Interceptor {
  return svix().post(`${MESSAGES}?with_content=false`, (sent: unknown) => isDeepStrictEqual(inAnySeries(sent), body))
}

/** A message as if its series were `any`. */
function inAnySeries(sent: unknown): unknown {
  return JSON.parse(JSON.stringify(sent).replace(/"series":"[0-9a-f]{8}"/, '"series":"any"'))
}

/** The request that asks whether the application has the message of an event. */
export function lookUp(eventId: string): nock.Interceptor {
  return svix().get(`${MESSAGES}/${eventId}?with_content=false`)
}

/** Application and event type are there. */
export function allIsThere(type?: EventType): void {
  application().reply(200, { id: 'app_1', uid: 'acme' })
  eventType(type).reply(409, { code: 'event_type_exists', detail: 'An event_type with this name already exists' })
  eventTypeSchema(type).reply(200, {})
}

export function shown(eventId: string): nock.Body {
  return { id: `msg_of_${eventId}`, eventId, eventType: 'shipment.status_changed', payload: {} }
}
