import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'

/** A process that shares the work on a store with others. */
export interface WorkerOverview {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** When the worker joined. */
  readonly since: number
  /** The accounts that the worker polls. */
  readonly accounts: readonly string[]
  /** Whether another configuration than the worker's own was loaded last, and is in force. */
  readonly configDiffers: boolean
  /** What of the worker's work does not come through in the store; null or left out: all does. */
  readonly stalled?: string | null
}

export function workerJson({ accounts, configDiffers, id, since, version }: WorkerOverview): JsonObject {
  return { id, version, since: formatInstant(since), accounts: [...accounts], config_differs: configDiffers }
}
