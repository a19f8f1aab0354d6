/** The index that finds parts of texts. A commit only queues the records whose texts moved; searches look at the newest of these, too. */
export interface SearchStore {
  /** Takes the newest records of the queue into the index, at most `most`. Resolves to how many. */
  indexQueued(most: number): Promise<number>
}
