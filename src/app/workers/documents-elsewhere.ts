import type { DocumentContent } from '../../model/document-content.ts'
import { workerOverviews } from '../../operate/worker-overviews.ts'
import type { WorkerStore } from '../../store/ports/worker-port.ts'

/**
 * What a worker answers that is asked for a document of an account which another one reads: the budget of a key is spent by
 * whoever reads its accounts. Tokens of some accounts see the answer: it names no machine.
 */
export async function documentsElsewhere(
  account: string,
  workers: Pick<WorkerStore, 'survey'> | undefined,
): Promise<DocumentContent> {
  const reader = (await workerOverviews(workers)).find(({ accounts }) => accounts.includes(account))
  if (reader === undefined)
    return { kind: 'late', reason: `Nobody reads the account ${account} at this moment: ask again in some seconds.` }
  const where = '`shipbell status` says where it runs'
  return { kind: 'refused', reason: `The worker ${reader.id} reads the account ${account}: ask that one (${where}).` }
}
