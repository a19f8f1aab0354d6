import { z } from 'zod'

const EXPECTED = 'must be a URL such as https://erp.example/hooks'

/** An http or https URL without user name, password and fragment, normalised. */
export const httpUrl: z.ZodType<string> = z.string({ error: EXPECTED }).transform((text, context) => {
  const url = URL.parse(text)
  const wrong = url === null ? EXPECTED : whatIsWrong(url)
  if (url !== null && wrong === null) return url.href
  context.addIssue(wrong ?? EXPECTED)
  return z.NEVER
})

/** The address of a platform: paths are appended, so it has no query, and no slash at its end. */
export const baseUrl: z.ZodType<string> = httpUrl
  .refine((url) => !url.includes('?'), 'must not have a query: paths such as /v1/shipments are appended')
  .transform((url) => url.replace(/\/+$/, ''))

function whatIsWrong(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return url.hash === '' ? null : 'must not have a fragment (`#…`): it is never sent'
}
