import { z } from 'zod'

const RULE = 'must list JSON Pointers such as /updated_at or /cargo/containers/*/seal_number'

/** RFC 6901, below the root: the whole of a record cannot be ignored. */
export const jsonPointer: z.ZodType<string> = z
  .string({ error: RULE })
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, `${RULE}: each starts with \`/\`; ~0 stands for \`~\`, ~1 for \`/\` in a name`)
