import { z } from 'zod'
import { quoted } from './problem.ts'
import { issueOf } from './schema-parts.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Shipbell's own (guarantee S1), and those that belong to the connection (RFC 9110 section 7.6.1). */
const RESERVED = /^(?:webhook-.*|content-.*|host|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i

/** Extra request headers. */
export const headerMap = z
  .record(
    z.string(),
    z.string('must hold text: put the value in quotes'),
    'must be a mapping from header names to values',
  )
  .superRefine((headers, context) => {
    const seen = new Set<string>()
    for (const [name, value] of Object.entries(headers)) {
      const wrong = whatIsWrong(name, value) ?? (seen.has(name.toLowerCase()) ? 'stands here twice' : null)
      seen.add(name.toLowerCase())
      if (wrong !== null) context.addIssue(issueOf(`cannot have ${quoted(name)}: it ${wrong}`, { key: name }))
    }
  })

function whatIsWrong(name: string, value: string): string | null {
  if (!NAME.test(name)) return 'is not a header name'
  if (RESERVED.test(name)) return 'is set by Shipbell or belongs to the connection'
  return VALUE.test(value) ? null : 'has a line break or another character that a header cannot carry'
}
