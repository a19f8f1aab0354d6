import type { Hook, z } from '@hono/zod-openapi'
import type { AdminEnv } from '../admin-env.ts'
import { ended, problemResponse } from '../problem.ts'

/** Answers a malformed request by 422. */
export const checked: Hook<unknown, AdminEnv, string, Response | undefined> = (result) =>
  result.success ? undefined : malformed(PARTS[result.target] ?? result.target, result.error.issues)

/** 422, naming each malformed parameter and the part of the request that it is in. */
export function malformed(part: string, issues: z.ZodError['issues']): Response {
  const errors = issues.map((issue) => ({ in: part, name: issue.path.map(String).join('.'), detail: saidOf(issue) }))
  const [first] = errors
  const detail = first === undefined ? 'The request is malformed.' : ended(`${subjectOf(first)} ${first.detail}`)
  return problemResponse({ status: 422, detail, extras: { errors } })
}

type Issue = z.ZodError['issues'][number]

/** What is wrong; where one of several forms may be given, what is wrong with the first. */
function saidOf(issue: Issue): string {
  const [first] = issue.code === 'invalid_union' ? issue.errors : []
  return first?.[0]?.message ?? issue.message
}

/** What is wrong; without a name it is all of a part, such as a body that is no object. */
function subjectOf({ in: part, name }: { readonly in: string; readonly name: string }): string {
  return name === '' ? `The ${part}:` : `\`${name}\``
}

const PARTS: Readonly<Record<string, string>> = { param: 'path' }
