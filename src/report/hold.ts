import type { HeldList } from '../model/hold.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { watchedAs } from '../model/resource.ts'

/** Removals of a list that are held, as commands and the API give them (guarantee D6). */
export function holdJson(hold: HeldList): JsonObject {
  return {
    account: hold.account,
    resource: watchedAs(hold.resource),
    reason: hold.reason,
    since: formatInstant(hold.since),
    known: hold.known,
    missing: hold.missing,
    sample: [...hold.sample],
    verdict: hold.verdict,
  }
}
