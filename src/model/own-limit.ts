/** What of a process or its machine may run out. It is charged to nobody else. */
export type OwnLimit = 'descriptors' | 'ports' | 'memory'

/** What holds up the sending of a process. */
export interface LimitTrouble {
  readonly limit: OwnLimit
  /** How many descriptors the process may have; null: the limit is another one, or nobody knows. */
  readonly most: number | null
}

/** The trouble as it is kept with the store for as long as it lasts, or the process lives. */
export interface KeptLimit extends LimitTrouble {
  readonly host: string
  readonly pid: number
  readonly since: number
}
