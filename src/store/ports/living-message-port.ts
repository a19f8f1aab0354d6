import type { LivingMessage, LivingPlace } from '../../model/living-message.ts'

/** Messages that are kept up to date. They go, once nothing was told in them for as long as the ledger is kept (`RetentionStore.dropEnded`). */
export interface LivingMessageStore {
  /** Null: nothing is known of one. */
  livingMessage(place: LivingPlace): Promise<LivingMessage | null>

  /** Writes what is known of a message, in place of what was. Whoever sends the subscription's deliveries writes alone. */
  saveLivingMessage(message: LivingMessage): Promise<void>
}
