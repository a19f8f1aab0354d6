import type { FileType } from '../model/document-content.ts'

const MAGIC: readonly (readonly [FileType, readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
]

/** Types that say nothing of what is in a file. */
const VAGUE: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

const SHOWN: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/plain'])

/**
 * What a file may be shown as: the type that its server says, if it is one of few and the file does not begin as a page does; where the
 * server says nothing, the type that its first bytes tell.
 */
export function fileType(contentType: string, beginning: Uint8Array): FileType {
  const said = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (VAGUE.has(said)) return typeOfBytes(beginning) ?? 'application/octet-stream'
  return isShown(said) && !isMarkup(beginning) ? said : 'application/octet-stream'
}

function isShown(type: string): type is FileType {
  return SHOWN.has(type)
}

function typeOfBytes(beginning: Uint8Array): FileType | null {
  const found = MAGIC.find(([, bytes]) => bytes.every((byte, index) => beginning[index] === byte))
  return found === undefined ? null : found[0]
}

/** How many bytes of a file tell what it is. */
export const LOOKED_AT = 1_024

/** Whether the first sign of a file opens a tag, whatever its server calls it. */
function isMarkup(beginning: Uint8Array): boolean {
  return /^[\u{FEFF}\s]*</u.test(Buffer.from(beginning.subarray(0, LOOKED_AT)).toString('utf8'))
}
