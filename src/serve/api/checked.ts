import type { Hook, z } from '@hono/zod-openapi'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'

/** Answers a malformed request by 422. */
export const checked: Hook<unknown, AdminEnv, string, Response | undefined> = (result) =>
  result.success ? undefined : malformed(PARTS[result.target] ?? result.target, result.error.issues)

/** 422, naming each malformed parameter and the part of the request that it is in. */
export function malformed(part: string, issues: z.ZodError['issues']): Response {
  const errors = issues.map(({ message, path }) => ({ in: part, name: path.map(String).join('.'), detail: message }))
  const [first] = errors
  const detail = first === undefined ? 'The request is malformed.' : `\`${first.name}\` ${first.detail}.`
  return problemResponse({ status: 422, detail, extras: { errors } })
}

const PARTS: Readonly<Record<string, string>> = { param: 'path' }
