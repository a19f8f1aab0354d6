import { eventTypeInfo, type EventType } from '../../../model/event-catalogue.ts'
import type { SvixCall } from './svix-server.ts'

/** So do the ids that Svix gives; a uid must not. */
const ID_PREFIX = 'app_'

/** What must be there before a message is accepted, and the request that makes it unless it is. */
export interface SvixNeed {
  /** "the application acme" */
  readonly purpose: string
  readonly call: SvixCall
}

/** `app` is the uid of an application, or the id that Svix gave it (`app_…`): only the former can be made. */
export function svixNeeds(app: string, type: EventType): readonly SvixNeed[] {
  const description = eventTypeInfo(type)?.when ?? type
  const eventType: SvixNeed = {
    purpose: `the event type ${type}`,
    call: async (svix) => await svix.eventType.create({ name: type, description }),
  }
  if (app.startsWith(ID_PREFIX)) return [eventType]
  const application: SvixNeed = {
    purpose: `the application ${app}`,
    call: async (svix) => await svix.application.getOrCreate({ name: app, uid: app }),
  }
  return [application, eventType]
}
