/** The one configuration of a store, whichever processes have it: what events about it name. */
export const CONFIGURATION = 'shipbell'

/** How the files of one process stand to the configuration that it has in force. */
export interface ConfigurationState {
  /** The file as the command line names it. */
  readonly file: string
  /** Why what the files say now was rejected, each problem with its place; null: it was not. */
  readonly rejected: { readonly problems: readonly string[]; readonly digest: string } | null
  /** Keys whose new value takes a restart. */
  readonly restart: readonly string[]
}

/** What needs a person in a state: kept with the store for as long as the process lives. */
export interface ConfigurationTrouble {
  readonly host: string
  readonly pid: number
  readonly file: string
  readonly since: number
  /** Why the files were rejected; none: they were not. */
  readonly problems: readonly string[]
  readonly restart: readonly string[]
}

export interface ConfigurationMemory {
  /** Digests of the contents that `shipbell.configuration_rejected` rang for, the newest last. */
  readonly rung: readonly string[]
  /** When a store was begun in the place of one that is gone; left out: none was there before. */
  readonly begunAnewAt?: number
  /** By the id under which a process shares the store. */
  readonly troubles: Readonly<Record<string, ConfigurationTrouble>>
}
