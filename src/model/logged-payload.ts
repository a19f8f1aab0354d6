import type { LoggedEvent } from './event.ts'
import type { JsonObject } from './json.ts'
import { standardPayload } from './payload.ts'

/** An event of the log as commands show it: the payload, or what is left of it with `"expired": true` and `data` empty. */
export function loggedPayload(event: LoggedEvent): JsonObject {
  const payload = standardPayload(event)
  return event.expiredAt === null ? payload : { ...payload, expired: true }
}
