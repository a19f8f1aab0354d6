import type { Context } from 'hono'
import type { z } from 'zod'
import { refuse } from './refuse.ts'

const LARGEST = 1024 * 1024

/** The body of a write, or the refusal that says what is wrong with it. */
export async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<{ readonly body: z.infer<Schema> } | { readonly refusal: Response }> {
  const text = await readText(context.req.raw)
  if (text === null) return { refusal: refuse(context, 413, 'The body is larger than 1 MiB.') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { refusal: refuse(context, 400, 'The body must be JSON, but it is not.') }
  }
  const result = schema.safeParse(value)
  if (result.success) return { body: result.data }
  const [issue] = result.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'The body' : `The field ${issue.path.join('.')}`
  return { refusal: refuse(context, 400, `${where} must be ${issue?.message ?? 'valid'}.`) }
}

/** null: too large. Read to its end all the same, or the client would see a closed connection instead of the refusal. */
async function readText({ body }: Request): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes <= LARGEST) chunks.push(chunk)
  }
  return bytes > LARGEST ? null : Buffer.concat(chunks).toString('utf8')
}
