import type { RecordResource } from '../model/resource.ts'
import type { Answer } from './ask.ts'
import type { Quarantine } from './quarantine.ts'

export interface NotedAnswer {
  readonly resource: RecordResource
  readonly id: string
  readonly answer: Answer<unknown>
}

/** Tells the quarantine what a fetch by id showed: a record, one that cannot be understood, or nothing. */
export async function noteAnswer(
  quarantine: Pick<Quarantine, 'note'>,
  { resource, id, answer }: NotedAnswer,
): Promise<void> {
  const exchanges = answer.exchange === null ? [] : [answer.exchange]
  const provenance = { by: 'item', resource, exchanges } as const
  if (answer.kind === 'read') {
    if (answer.value !== null) await quarantine.note({ sound: [id], rejected: [], provenance })
    return
  }
  if (answer.why === 'rejected')
    await quarantine.note({ sound: [], rejected: [{ id, reason: answer.reason }], provenance })
}
