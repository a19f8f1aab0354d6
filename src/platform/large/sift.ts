import { bodyOf } from '../answer.ts'
import { siftList, type SiftedList } from './sift-list.ts'

/** A body that another thread looks through. */
export interface ToSift {
  readonly bytes: SharedArrayBuffer
  readonly contentType: string
}

export interface Sifted {
  readonly list: SiftedList
  readonly charset: string
  /** The body in UTF-8; null: it is as it came. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Rows that hold bytes which are no text, by their indexes. */
  readonly noText: readonly number[]
}

/** Finds the rows of a list in an answer. */
export function sift({ bytes: shared, contentType }: ToSift): Sifted {
  const written = Buffer.from(shared)
  const { bytes, charset, isValid } = bodyOf({ headers: { 'content-type': contentType }, chunks: [written] })
  const list = siftList(bytes)
  const noText: number[] = []
  if (list.kind === 'rows' && !isValid(bytes)) {
    list.starts.forEach((start, index) => {
      if (!isValid(bytes.subarray(start, list.ends[index]))) noText.push(index)
    })
  }
  return { list, charset, noText, bytes: charset === 'utf-8' ? null : new Uint8Array(bytes) }
}
