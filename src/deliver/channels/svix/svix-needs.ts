import { eventTypeInfo, type EventType } from '../../../model/event-catalogue.ts'
import type { HttpAnswer } from '../judge-answer.ts'
import type { SvixCall } from './svix-server.ts'

/** How ids begin that Svix gives; a uid must not begin so. */
const ID_PREFIX = 'app_'

/** What must be there before a message is accepted, and the request that makes it unless it is. */
export interface SvixNeed {
  /** "the application acme" */
  readonly purpose: string
  readonly call: SvixCall
  /** The call that brings up to date what is there already. How that ends does not matter to the message. */
  readonly refresh?: SvixCall
}

/** Svix keeps a schema by version, and shows the newest; it knows draft-07. */
const SCHEMA_VERSION = '1'

/** `app` is the uid of an application, or the id that Svix gave it (`app_…`): only the former can be made. */
export function svixNeeds(app: string, type: EventType): readonly SvixNeed[] {
  const description = eventTypeInfo(type)?.when ?? type
  const eventType: SvixNeed = {
    purpose: `the event type ${type}`,
    call: async (svix) => await svix.eventType.create({ name: type, description, schemas: await schemasOf(type) }),
    refresh: async (svix) => await svix.eventType.patch(type, { schemas: await schemasOf(type) }),
  }
  if (app.startsWith(ID_PREFIX)) return [eventType]
  const application: SvixNeed = {
    purpose: `the application ${app}`,
    call: async (svix) => await svix.application.getOrCreate({ name: app, uid: app }),
  }
  return [application, eventType]
}

/** The schemas of all payloads are made when they are loaded: only Svix asks for one. */
async function schemasOf(type: EventType) {
  const { eventDocumentDraft07 } = await import('../../../model/payload-schema/event-documents.ts')
  return { [SCHEMA_VERSION]: eventDocumentDraft07(type) }
}

/** What a Svix server has, as far as it is known. Each thing is asked for once, whoever needs it meanwhile. */
export class Ensured {
  readonly #asked = new Map<string, Promise<HttpAnswer | null>>()

  /** Resolves to null once the server has the thing, or to the answer that says otherwise; then the next caller asks again. */
  async ensure(thing: string, ask: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
    const known = this.#asked.get(thing)
    if (known !== undefined) return await known
    const asked = this.#refusal(thing, ask)
    this.#asked.set(thing, asked)
    return await asked
  }

  /** The server turned out not to have it. */
  forget(thing: string): void {
    this.#asked.delete(thing)
  }

  async #refusal(thing: string, ask: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
    let refusal: HttpAnswer | null
    try {
      const answer = await ask()
      refusal = has(answer) ? null : answer
    } catch (error) {
      this.forget(thing)
      throw error
    }
    if (refusal !== null) this.forget(thing)
    return refusal
  }
}

/** 409: it was there already, or another process was faster. */
function has({ status }: HttpAnswer): boolean {
  return (status >= 200 && status < 300) || status === 409
}
