/** An address that asked to be left alone, of whichever subscription. */
export interface Cooldown {
  /** Stands for it, without showing it. */
  readonly address: string
  /** In steady time. */
  readonly until: number
}

/** What addresses ask of everything that is sent to them: what outlives the process of it. */
export interface CooldownStore {
  /** Those that attempt results told of, each until the latest instant that it named; some may be over. */
  cooldowns(): Promise<readonly Cooldown[]>
}
