import type { JsonObject } from './json.ts'
import { templatePayload, type ShownDelivery } from './payload.ts'
import type { Language, Reader } from './reader.ts'

export const BODY_METHODS = ['POST', 'PUT', 'PATCH'] as const
type BodyMethod = (typeof BODY_METHODS)[number]

/** What a webhook is sent in place of payloads, as configured. */
export interface RequestBody {
  readonly template: BodyTemplate
  readonly contentType: string
  readonly method: BodyMethod
  readonly language: Language
  /** IANA name of the clocks that its texts show; null: the account's. */
  readonly timeZone: string | null
}

/** An operator's template of a body, ready for use. Two of the same file, text and kind are the same template. */
export interface BodyTemplate {
  /** The file of the template as configured; null: the template stands in the configuration. */
  readonly file: string | null
  readonly source: string
  /** Whether what it renders has to be JSON. */
  readonly isJson: boolean
  /** The body for a payload. Ends soon and never throws, whatever the payload holds. */
  render(payload: JsonObject, reader: Reader): MadeBody
}

export type MadeBody =
  | { readonly kind: 'body'; readonly text: string }
  /**
   * Nothing can be sent: `reason` says why, with the place in the template where that has one. `bound`: a bound was passed, and took as
   * long as the work may.
   */
  | { readonly kind: 'unmade'; readonly reason: string; readonly place: BodyPlace; readonly bound: boolean }

/** A place in a template; both count from 1. */
interface BodyPlace {
  readonly line: number
  readonly column: number
}

/** What a delivery is sent with; `accountZone`: the time zone of its account, if that is known. */
export function bodyOf(
  { language, template, timeZone }: RequestBody,
  delivery: ShownDelivery,
  accountZone: string | null,
): MadeBody {
  return template.render(templatePayload(delivery), { language, timeZone: timeZone ?? accountZone ?? 'UTC' })
}

/** Whether a media type is that of JSON: `application/json`, `application/vnd.api+json; charset=utf-8`. */
export function isJsonType(contentType: string): boolean {
  const [essence = ''] = contentType.split(';')
  return /^(?:application|text)\/json$|\+json$/i.test(essence.trim())
}
