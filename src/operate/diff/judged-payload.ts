import { dataBesidesObject, eventData } from '../../model/event-data.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { withoutBefore } from './left-alike.ts'

/** `fullPayload` for conditions, most of which do not ask what a record was: it is unpacked and parsed once one does. */
export function judgedPayload(event: LoggedEvent): JsonObject {
  if (event.changes === null) return fullPayload(event)
  const shown = withoutBefore(event)
  const data = eventData(shown)
  const previous = (): Json => dataBesidesObject({ ...shown, object: null, before: event.before })['previous'] ?? null
  Object.defineProperty(data, 'previous', { get: previous, enumerable: true })
  return { ...fullPayload({ ...shown, object: null }), data }
}
