/** An HTTP date (RFC 9110 section 5.6.7) in milliseconds since the Unix epoch; null where the text is none. */
export function parseHttpDate(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? ''
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return null
  const at = Date.parse(/\b(GMT|UTC|[+-]\d{4})$/.test(trimmed) ? trimmed : `${trimmed} GMT`)
  return Number.isNaN(at) ? null : at
}

/**
 * What the clock of whoever answered says as the answer arrives: its `Date`, and its `Age` where a cache kept it since. null
 * where it does not say.
 */
export function answerClock(header: (name: 'date' | 'age') => string | null | undefined): number | null {
  const date = parseHttpDate(header('date'))
  if (date === null) return null
  const age = header('age')?.trim() ?? ''
  return /^\d{1,9}$/.test(age) ? date + Number(age) * 1_000 : date
}
