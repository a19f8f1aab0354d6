/** The types that a file may be shown as; any other is a stream of bytes. */
export const FILE_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'text/plain',
  'application/octet-stream',
] as const
export type FileType = (typeof FILE_TYPES)[number]

/** The file of a document, whole. */
export interface DocumentFile {
  readonly kind: 'file'
  /** What the platform calls the document; null: nothing. */
  readonly name: string | null
  readonly type: FileType
  readonly chunks: readonly Uint8Array[]
  readonly bytes: number
}

/**
 * What came of asking for the file of a document. `missing`: there is no such document, or it has no file; `refused`: who has the file
 * did not give it, or it must not be fetched; `late`: it did not come in time. Then `reason` says so in one sentence.
 */
export type DocumentContent = DocumentFile | { readonly kind: 'missing' | 'refused' | 'late'; readonly reason: string }
