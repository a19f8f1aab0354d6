import type { HttpAnswer } from '../judge-answer.ts'

const LONGEST_DETAIL = 200

/** Whether this is how a Svix server shows a message: JSON with its id. A proxy's page with status 200 is not. */
export function showsMessage({ body }: HttpAnswer): boolean {
  const id = member(parsed(body), 'id')
  return typeof id === 'string' && id !== ''
}

/** What Svix says is wrong, on one line: its `detail`, or the messages of its validation; null where it says nothing. */
export function svixDetail({ body }: HttpAnswer): string | null {
  const detail = member(parsed(body), 'detail')
  const parts: readonly unknown[] = Array.isArray(detail)
    ? detail.map((item: unknown) => member(item, 'msg'))
    : [detail]
  const text = parts.filter((part) => typeof part === 'string').join('; ')
  const line = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_DETAIL)
  return line === '' ? null : line
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return null
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
