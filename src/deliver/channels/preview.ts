import type { Json } from '../../model/json.ts'

/** What one attempt would send. */
export interface Preview {
  /** As its reader sees it, in plain text of several lines. Values of records in it are as they are. */
  readonly text: string
  /** What goes over the wire: the body of a request, or the parts of a mail. */
  readonly body: Json
  /** The page of a mail; null where the channel sends none. */
  readonly html: string | null
}

/** Of a request whose body programs read. */
export function documentPreview(body: string): Preview {
  const document: Json = JSON.parse(body)
  return { text: JSON.stringify(document, null, 2), body: document, html: null }
}
