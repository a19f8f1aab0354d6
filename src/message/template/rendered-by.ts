import type { JsonObject } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import type { Fact } from '../facts/fact.ts'
import { cut } from '../words/short.ts'
import { countOf } from '../wording/numbers.ts'
import type { Wording } from '../wording/wording.ts'

const LONGEST_LINE = 500
const MOST_DETAILS = 50

export interface Rendered {
  readonly sentence: string
  readonly facts: readonly Fact[]
}

/**
 * A template's text: its first line that is not blank stands in for the sentence, the others for the facts, without labels; null
 * where all are blank. It is plain text, which each channel escapes like any message, so no template and no value in it can do
 * more than say something.
 */
function linesOf(text: string, wording: Wording): Rendered | null {
  const [headline, ...details] = linesIn(text)
  if (headline === undefined) return null
  const lines =
    details.length > MOST_DETAILS ? [...details.slice(0, MOST_DETAILS - 1), more(details, wording)] : details
  return {
    sentence: cut(headline, LONGEST_LINE),
    facts: lines.map((line) => ({ name: null, label: null, value: cut(line, LONGEST_LINE) })),
  }
}

function linesIn(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function more({ length }: readonly string[], wording: Wording): string {
  return countOf(length - MOST_DETAILS + 1, 'moreLines', wording)
}

/** Throws what the template throws, and where it renders nothing. */
export function renderedBy(template: Pick<MessageTemplate, 'render'>, view: JsonObject, wording: Wording): Rendered {
  const rendered = linesOf(template.render(view, wording), wording)
  if (rendered === null) throw new Error('it renders nothing')
  return rendered
}
