import { z } from 'zod'
import { parseSigningKey } from '../model/signing-key.ts'

const EXPECTED = 'must be a secret, or a list of them'

const secret = z.string({ error: EXPECTED }).superRefine((text, context) => {
  const key = parseSigningKey(text)
  if (key.kind === 'invalid') context.addIssue(key.reason)
})

/** One Standard Webhooks secret, or a list of them during a rotation. */
export const signingSecrets: z.ZodType<readonly string[]> = z.union(
  [secret.transform((one) => [one]), z.array(secret).min(1, 'must not be an empty list')],
  { error: EXPECTED },
)
