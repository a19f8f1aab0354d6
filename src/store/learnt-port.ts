import type { Learnt } from '../model/learnt.ts'

/** What polling learnt of how often things change, for the next process. */
export interface LearntStore {
  learnt(account: string): Promise<Learnt>
}
