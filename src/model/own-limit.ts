/** What of a process or its machine may run out. It is charged to nobody else. */
export type OwnLimit = 'descriptors' | 'ports' | 'memory'

/** What holds up the sending of a process. */
export interface LimitTrouble {
  readonly limit: OwnLimit
  /** Of descriptors: how many the process may have; null: of another limit, or nobody knows. */
  readonly most: number | null
}

/** As it is kept with the store for as long as it lasts, or the process lives. */
export interface KeptLimit extends LimitTrouble {
  readonly host: string
  readonly pid: number
  readonly since: number
}
