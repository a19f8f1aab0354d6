import type { Context } from 'hono'

type Refusal = 400 | 401 | 404 | 409 | 413 | 429 | 500

/** The body of every error: an object with one readable sentence. */
export function refuse(context: Context, status: Refusal, message: string): Response {
  return context.json({ error: { status, message } }, status)
}
