import { z } from 'zod'
import { LANGUAGES } from '../model/reader.ts'
import { BODY_METHODS, type BodyTemplate, type RequestBody } from '../model/request-body.ts'
import { issueOf } from './schema-parts.ts'
import { choice, text, timeZone } from './values.ts'

const MEDIA_TYPE = 'must be a media type such as application/json or text/plain; charset=utf-8'
export const DEFAULT_CONTENT_TYPE = 'application/json'

const mediaType = z
  .string(MEDIA_TYPE)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w-]+=(?:[\w.+-]+|"[^"\\\r\n]*"))*$/, MEDIA_TYPE)

/** `body`, whose template is compiled where the file is read: by then it is known to be one. */
export const requestBody = z
  .strictObject({
    template: text.optional().describe('What is sent: Liquid over the payload, with `text`, `title` and `severity`.'),
    file: text.optional().describe('The file that holds the template, in place of `template`.'),
    content_type: mediaType
      .prefault(DEFAULT_CONTENT_TYPE)
      .describe('The media type of what is sent; JSON is parsed before it goes.'),
    method: choice(BODY_METHODS).prefault('POST').describe('`POST`, `PUT` or `PATCH`.'),
    language: choice(LANGUAGES)
      .optional()
      .describe('Language of `text`, `title` and filters; that of the subscription by default.'),
    time_zone: timeZone
      .optional()
      .describe('IANA time zone of their dates; that of the subscription by default, else that of the account.'),
  })
  .superRefine(({ file, template }, context) => {
    if ((file === undefined) !== (template === undefined)) return
    const message =
      file === undefined
        ? '`body` needs a `template`, or the `file` that holds it'
        : '`template` and `file` of `body` exclude each other'
    context.addIssue(issueOf(message, { ...(file !== undefined && { key: 'file' }), at: 'key', rule: true }))
  })

type BodyKeys = z.output<typeof requestBody>

interface ReadersKeys {
  readonly language: RequestBody['language']
  readonly time_zone?: string | undefined
}

/** What a webhook is sent in place of payloads; null: payloads. */
export function requestBodyOf(
  keys: BodyKeys | undefined,
  template: BodyTemplate | null,
  { language, time_zone: zone }: ReadersKeys,
): RequestBody | null {
  if (keys === undefined || template === null) return null
  const { content_type: contentType, method } = keys
  return {
    template,
    contentType,
    method,
    language: keys.language ?? language,
    timeZone: keys.time_zone ?? zone ?? null,
  }
}
