import { z } from 'zod'

const EXPECTED = 'must be whsec_ and the base64 of 24 to 64 bytes: `echo whsec_$(openssl rand -base64 32)` makes one'

const secret = z.string({ error: EXPECTED }).superRefine((text, context) => {
  if (text.startsWith('whsk_'))
    context.addIssue('is a whsk_ key, and v1a signatures are not built yet; use a whsec_ secret for now')
  else if (!isSymmetricSecret(text)) context.addIssue(EXPECTED)
})

/** One Standard Webhooks secret, or a list of them during a rotation. */
export const signingSecrets: z.ZodType<readonly string[]> = z.union(
  [secret.transform((one) => [one]), z.array(secret).min(1, 'must not be an empty list')],
  { error: EXPECTED },
)

/** Padded standard base64, because verifiers of receivers refuse anything else. */
function isSymmetricSecret(text: string): boolean {
  if (!text.startsWith('whsec_')) return false
  const encoded = text.slice('whsec_'.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64
}
