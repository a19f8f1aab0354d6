import type { DocumentContent } from '../model/document-content.ts'
import { textField, type JsonObject } from '../model/json.ts'
import { fetchFile, type FileOptions } from './document-file.ts'
import type { Outcome } from './outcome.ts'

interface ContentOptions extends FileOptions {
  readonly id: string
  /** Fetches the document by its id, in its turn; `deferred`: the platform has to be left alone. */
  readonly item: () => Promise<Outcome<JsonObject> | { readonly kind: 'deferred'; readonly reason: string }>
}

/** The file of a document: the document is fetched anew, because its link may hold for minutes only. */
export async function documentContent({ id, item, ...options }: ContentOptions): Promise<DocumentContent> {
  const outcome = await item()
  if (outcome.kind === 'not_found' || outcome.kind === 'empty')
    return { kind: 'missing', reason: `The platform has no document ${JSON.stringify(id)}.` }
  if (outcome.kind !== 'ok') return { kind: isLate(outcome, options) ? 'late' : 'refused', reason: outcome.reason }
  const link = textField(outcome.value, 'link')?.trim() ?? ''
  if (link === '') return { kind: 'missing', reason: `The document ${JSON.stringify(id)} has no file.` }
  const file = await fetchFile(link, options)
  return file.kind === 'file' ? { ...file, name: textField(outcome.value, 'name') } : file
}

function isLate(outcome: Outcome<JsonObject> | { readonly kind: 'deferred' }, { account }: FileOptions): boolean {
  if (outcome.kind !== 'unreachable') return outcome.kind === 'deferred'
  return outcome.exchange.answeredAt - outcome.exchange.sentAt >= account.timeoutMs
}
