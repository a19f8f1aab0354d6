import { z } from 'zod'

/** A name of the IANA time zone database that this Node knows; offsets (`+01:00`) are no zones: they know no summer. */
export const timeZone: z.ZodType<string> = z
  .string({ error: 'must be an IANA time zone such as Europe/Paris' })
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Paris')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
