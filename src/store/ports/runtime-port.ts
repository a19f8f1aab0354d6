import type { RuntimeChange, RuntimeRefusal, RuntimeSubscription } from '../../model/runtime-subscription.ts'

/** All subscriptions made at run time, by name, those too that ended and whose names are kept. */
export interface RuntimeSurvey {
  /** The number of the last change of any. */
  readonly revision: number
  readonly subscriptions: readonly RuntimeSubscription[]
}

/** Subscriptions made at run time. */
export interface RuntimeStore {
  /** Null: none has changed since that revision, which is one step to find out. */
  runtimeSurvey(since?: number): Promise<RuntimeSurvey | null>

  /**
   * Makes a change, with what it means for the endpoint: in force at once; of its rows only a first slice moves with it, and
   * `AdminStore.settleRows` moves the others. Resolves to why it was not made; null: it was.
   */
  changeRuntime(change: RuntimeChange): Promise<RuntimeRefusal | null>
}
