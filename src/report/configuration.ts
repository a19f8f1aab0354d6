import type { ConfigurationTrouble } from '../model/configuration-state.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'

/** What of a process's configuration needs a person. */
export interface ConfigurationOverview extends ConfigurationTrouble {
  /** The id of the process among those that share the store; null: nobody shares it. */
  readonly worker: string | null
}

export function configurationJson(overview: ConfigurationOverview): JsonObject {
  const { file, host, pid, problems, restart, since, worker } = overview
  return {
    worker,
    host,
    pid,
    file,
    since: formatInstant(since),
    rejected: problems.length > 0,
    problems: [...problems],
    restart_keys: [...restart],
  }
}
