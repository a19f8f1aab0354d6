import type { JsonObject } from '../model/json.ts'

interface LinkedDocument {
  readonly account: string
  readonly id: string
  /** Where the admin interface is reached, without a slash at its end; left out or null: nowhere. */
  readonly publicUrl?: string | null
}

/**
 * Where the admin interface gives the file of a document, as its events say it. The link of the platform may be a credential, and is
 * never sent.
 */
export function contentLink({ account, id, publicUrl = null }: LinkedDocument): JsonObject {
  if (publicUrl === null) return {}
  const [ofAccount, ofDocument] = [encodeURIComponent(account), encodeURIComponent(id.toWellFormed())]
  return { content_url: `${publicUrl}/api/v1/documents/${ofAccount}/${ofDocument}/content` }
}
