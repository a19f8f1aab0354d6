import { formatDuration } from '../../model/duration.ts'

/** How long one look-up may take. */
export const LOOKUP_LIMIT_MS = 5_000

/** Why a name has no address. `code` is what Node's own look-up says of the same. */
export class NameFailure extends Error {
  override readonly name = 'NameFailure'
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'
  /** A clause: "no DNS server answered". */
  readonly reason: string

  constructor(code: NameFailure['code'], reason: string) {
    super(`${reason} (${code})`)
    this.code = code
    this.reason = reason
  }
}

export function noAnswer(): NameFailure {
  return new NameFailure('EAI_AGAIN', `no DNS server answered within ${formatDuration(LOOKUP_LIMIT_MS)}`)
}
