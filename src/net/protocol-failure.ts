/**
 * Why what came is no answer in HTTP/1.1, as the predicate of a sentence; null where no particular cause shows. Error codes
 * are Node's, OpenSSL's and undici's.
 */
export function describeProtocolFailure(error: unknown): string | null {
  const code = codeOf(error)
  // What undici calls these two; it knows no answer that follows them.
  if (code === 'UND_ERR_SOCKET' && messageOf(error) === 'bad response') return unasked('100 Continue')
  if (code === 'UND_ERR_SOCKET' && messageOf(error) === 'bad upgrade') return unasked('101 Switching Protocols')
  const isRefused = code.endsWith('_ALERT_NO_APPLICATION_PROTOCOL')
  return isRefused || beginsWithSettings(error) ? 'does not speak HTTP/1.1; it may speak HTTP/2 only' : null
}

/** An answer came, but it is not HTTP, or its headers are out of bounds. */
export function isUnreadable(error: unknown): boolean {
  const isUnparsable = error instanceof Error && error.name === 'HTTPParserError'
  // undici asserts that a status is at least 100.
  return isUnparsable || /^HPE_|HEADERS_OVERFLOW|^ERR_ASSERTION$/.test(codeOf(error))
}

function unasked(answer: string): string {
  return `answered "${answer}", which it was not asked for`
}

/** Whether what undici could not parse is a SETTINGS frame, with which HTTP/2 begins (RFC 9113, 4.1 and 6.5). */
function beginsWithSettings(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'HTTPParserError' || !('data' in error)) return false
  const { data } = error
  return typeof data === 'string' && data.startsWith('\0\0') && data.slice(3, 9) === '\u0004\0\0\0\0\0'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
