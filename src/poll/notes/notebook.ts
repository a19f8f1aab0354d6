import type { EventDraft } from '../../model/event.ts'
import { isKeepable, type NewNote, type NotedRecord, type NoteTopic } from '../../model/note.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'
import type { BatchChange, ReadBatch, RecordWrite } from '../../store/ports/commit-port.ts'

/** Which moves of records a topic is to hear of. */
export interface NotedMoves {
  readonly topic: NoteTopic
  readonly resources: readonly RecordResource[]
  /** Whether a write of a record of these resources moves what the topic derives: judged in the commit, so without a look elsewhere. */
  moves(write: RecordWrite): boolean
  /** Records beside it that a write which moves something concerns, such as the shipment that a document leaves. Left out: none. */
  leaves?(write: RecordWrite): readonly NotedRecord[]
  /** Whether an event says what moved. */
  explains(event: EventDraft): boolean
}

interface FollowedTopic {
  readonly topic: NotedMoves
  /** Whether commits note anything: before a topic has begun nothing is, because its begin notes everything. */
  readonly isNoting: boolean
  /** Called after a commit that noted something. */
  noted(): void
}

type Committed = Pick<ReadBatch, 'events' | 'records'>

const NONE: readonly never[] = []
/** Notes of one millisecond at most, told apart in the order of their records. */
const NOTES_A_MS = 1_000

/** The topics that accounts follow, and so what each commit notes. */
export class Notebook {
  readonly #followed = new Map<string, readonly FollowedTopic[]>()

  /** The topics of an account from now on, in place of those of before. */
  follow(account: string, topics: readonly FollowedTopic[]): void {
    if (topics.length === 0) this.#followed.delete(account)
    else this.#followed.set(account, topics)
  }

  /** What a commit at an instant notes: of each topic one note for each record that moved. */
  notesOf(account: string, { events = [], records = [] }: Partial<Committed>, at: number): readonly NewNote[] {
    const topics = this.#followed.get(account)
    if (topics === undefined || records.length === 0) return NONE
    const moved = { events, records }
    return topics.flatMap(({ isNoting, topic }) => (isNoting ? notesOf({ account, topic }, moved, at) : NONE))
  }

  /** Wakes who takes up the notes that were committed. */
  committed(account: string, notes: readonly NewNote[]): void {
    if (notes.length === 0) return
    const noted = new Set(notes.map(({ topic }) => topic))
    for (const followed of this.#followed.get(account) ?? NONE) if (noted.has(followed.topic.topic)) followed.noted()
  }
}

/** Ends a topic: once its account has it again, it begins anew. */
export function endOfTopic(topic: NoteTopic, at: number): BatchChange {
  return { kind: 'topic', topic, settings: null, resources: [], number: noteNumber(at) }
}

/** The number of a note that is made at an instant. */
export function noteNumber(at: number, place = 0): number {
  return at * NOTES_A_MS + (place % NOTES_A_MS)
}

function notesOf(
  { account, topic }: { readonly account: string; readonly topic: NotedMoves },
  { events, records }: Committed,
  at: number,
): readonly NewNote[] {
  const notes = new Map<string, NewNote>()
  // Events are grouped once, and only where a record moved: a page may change thousands of records.
  let bySubject: ReadonlyMap<string, readonly EventDraft[]> | null = null
  for (const write of records) {
    const { id, resource } = write.state
    if (!isRecordResource(resource) || !topic.resources.includes(resource) || !topic.moves(write)) continue
    bySubject ??= Map.groupBy(events, ({ subject }) => `${subject.resource} ${subject.id}`)
    const own = bySubject.get(`${resource} ${id}`) ?? NONE
    const because = own.findLast((event) => topic.explains(event))?.id ?? null
    const isFresh = write.before === null && own.length > 0
    const number = noteNumber(at, notes.size)
    notes.set(`${resource} ${id}`, { topic: topic.topic, resource, id, number, isFresh, because })
    for (const left of topic.leaves?.(write) ?? NONE) {
      const key = `${left.resource} ${left.id}`
      if (!notes.has(key) && isKeepable(account, left.id))
        notes.set(key, { topic: topic.topic, ...left, number, isFresh: false, because: null })
    }
  }
  return [...notes.values()]
}
