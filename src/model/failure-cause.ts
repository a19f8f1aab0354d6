const LONGEST = 160

/**
 * What failed attempts have in common, in one sentence: the status of the answer; where none came, or it was a success that was
 * none, the kind of failure without what differs from one to the next (addresses, names in quotes, whatever has digits).
 */
export function failureCause({ status, error }: { readonly status: number | null; readonly error: string }): string {
  if (status !== null && (status < 200 || status >= 300)) return `The endpoint answered ${status}`
  const kind = error
    .replaceAll(/[a-z][a-z\d+.-]*:\/\/[^\s,;()"']+/gi, '…')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/[^\s,;()"'[\]]*\d[^\s,;()"'[\]]*/g, '…')
    .replaceAll(/…(?:[\s,]*…)+/g, '…')
    .replace(/^…/, 'The endpoint')
    .trim()
  return kind.length > LONGEST ? `${kind.slice(0, LONGEST)}…` : kind
}
