import { RECORD_OF } from '../model/resource.ts'
import { ask } from './ask.ts'
import type { ListOptions } from './list-options.ts'
import { noteAnswer } from './note-answer.ts'
import type { Quarantine } from './quarantine.ts'
import type { Proof } from './removals.ts'

/** A fetch by id says whether a record of a list exists; one that shows what cannot be understood rings for it. */
export function fetchProof(
  options: ListOptions,
  { quarantine, signal }: { readonly quarantine: Quarantine; readonly signal: AbortSignal },
): Proof {
  const { accountClient, platform, watch } = options
  // The next pass asks again: one record that always fails must not make the account look unreachable.
  const request = { accountClient, signal, of: 'item', priority: 'verification', tries: 1 } as const
  return async (id) => {
    const answer = await ask(async () => platform.item(RECORD_OF[watch], id, signal), request)
    await noteAnswer(quarantine, { resource: RECORD_OF[watch], id, answer })
    return answer
  }
}
