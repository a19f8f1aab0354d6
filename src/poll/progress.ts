import type { Watchable } from '../model/resource.ts'

/** How far a baseline is: `total` is null while it cannot be known. The baseline is over when `done` reaches it. */
export interface BaselineProgress {
  readonly account: string
  readonly watch: Watchable
  readonly done: number
  readonly total: number | null
}

export type Progress = (progress: BaselineProgress) => void
