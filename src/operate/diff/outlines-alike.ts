import { viewOf } from '../../message/message.ts'
import { bodyEngine, bodyView } from '../../message/template/body-template.ts'
import { jsonFlaw } from '../../message/template/json-flaw.ts'
import { makesAddresses } from '../../message/template/never-fails.ts'
import { operatorEngine } from '../../message/template/operator-template.ts'
import { filledOutline, outlinesOf, withoutMarks, type Outlines } from '../../message/template/outlines.ts'
import { wordingOf } from '../../message/wording/wording.ts'
import { thinData } from '../../model/event-data.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import { type JsonObject, withWholeCharacters } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Language, Reader } from '../../model/reader.ts'
import type { BodyTemplate, RequestBody } from '../../model/request-body.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'
import type { DiffMemory, OutlinesAlike } from './diff-memory.ts'
import { builtInOf } from './digests-alike.ts'
import { differAnyhow, OutlineJudge, seenText } from './outline-judge.ts'
import type { Verdict } from './verdicts.ts'

type Peoples = Extract<ChannelSettings, PeoplesChannel>

export interface MessagesAlike {
  /** How messages of a type are compared; null: their outlines never tell. */
  readonly of: (type: string) => OutlinesAlike | null
  readonly needsRecords: boolean
}

/** How messages that are compared are told: in which language, and whether ours show facts beside their sentences. */
interface Showing {
  readonly language: Language
  readonly showsFacts: boolean
}

/**
 * Compares what two channels of one kind and language say of an event in a message of its own, or in a digest, which takes of ours the sentences;
 * whether that is cut is not asked.
 */
export function messagesAlike(old: Peoples, other: Peoples, memory: DiffMemory): MessagesAlike {
  const showing = { language: old.language, showsFacts: !('digest' in old) || old.digest === null }
  // One template is that of many types.
  const alikeFor = (type: string): OutlinesAlike | null => {
    const both = [old.templates.get(type), other.templates.get(type)] as const
    const key = ['message', showing, ...both.map((template) => template?.source ?? null)]
    return memory.outlines(key, () => templatesAlike(both, showing, memory))
  }
  const types = new Map([...old.templates.keys(), ...other.templates.keys()].map((type) => [type, alikeFor(type)]))
  return {
    of: (type) => types.get(type) ?? null,
    needsRecords: [...types.values()].some((each) => each === null || each.needsRecords),
  }
}

function templatesAlike(
  [before, after]: readonly [MessageTemplate | undefined, MessageTemplate | undefined],
  showing: Showing,
  memory: DiffMemory,
): OutlinesAlike | null {
  const [old, other] = [before, after].map((template) => template?.source ?? builtIn(showing))
  if (old === undefined || other === undefined) return null
  const outlines = outlinesOf(old, other, { engine: operatorEngine(), isJson: false })
  if (outlines === null) return null
  const isOneBuiltIn = before === undefined || after === undefined
  const sentences = [...outlines.marks].filter(([text]) => SENTENCE.test(text)).map(([, mark]) => mark)
  // One that renders nothing is replaced by the built-in message.
  const shows = (outline: string): boolean =>
    seenText(withoutMarks(outline)) !== '' || sentences.some((mark) => outline.includes(mark))
  const judge = new OutlineJudge(outlines, judgeLines, memory.ofNewJudge())
  const viewFor = (event: ShipbellEvent, reader: Reader): JsonObject => {
    const payload = fullPayload(event)
    return viewOf(payload, outlines.reads.message ? builtInOf(payload, reader) : { sentence: '', facts: [] })
  }
  return judged([old, other], { outlines, judge, viewFor })

  function judgeLines(...both: readonly [string, string]): Verdict {
    const [one, another] = [oneBreak(both[0]), oneBreak(both[1])]
    // Labels are shown as such only where they are ours.
    if (one === another) return isOneBuiltIn ? null : true
    // A digest cuts lines, at places that outlines do not know.
    if (!showing.showsFacts) return null
    return shows(one) && shows(another) && differAnyhow(one, another, seenText) ? false : null
  }
}

/** A text of lines: those that are blank, and blanks around the others, are not shown. */
function oneBreak(text: string): string {
  return text.replaceAll(/\s*[\n\v\f\r\u0085\u2028\u2029][\s\u0085]*/g, '\n').trim()
}

const SENTENCE = /^\{\{-?\s*sentence\s*-?\}\}$/

/** The built-in message as a template. */
function builtIn({ language, showsFacts }: Showing): string {
  if (!showsFacts) return '{{ sentence }}'
  const { colon } = wordingOf({ language, timeZone: null }).terms
  return `{{ sentence }}\n{% for fact in facts %}{{ fact.label }}${colon}{{ fact.value }}\n{% endfor %}`
}

/** Compares bodies that differ by their templates alone; null: their outlines never tell. */
export function bodiesAlike(
  { template: old }: RequestBody,
  { template: other }: RequestBody,
  memory: DiffMemory,
): OutlinesAlike | null {
  if (old.isJson !== other.isJson) return null
  const key = ['body', old.isJson, old.source, other.source]
  return memory.outlines(key, () => outlinedBodies(old, other, memory))
}

function outlinedBodies(old: BodyTemplate, other: BodyTemplate, memory: DiffMemory): OutlinesAlike | null {
  const { isJson } = old
  const outlines = outlinesOf(old.source, other.source, { engine: bodyEngine(isJson), isJson })
  if (outlines === null) return null
  const isMade = (outline: string): boolean => (isJson ? isJsonAnyhow(outline) : withoutMarks(outline).trim() !== '')
  const judge = new OutlineJudge(
    outlines,
    (one, another) => {
      if (one === another) return true
      return isMade(one) && isMade(another) && differAnyhow(one, another, asSent) ? false : null
    },
    memory.ofNewJudge(),
  )
  return judged([old.source, other.source], { outlines, judge, viewFor: viewOfBody })
}

function viewOfBody(event: ShipbellEvent, reader: Reader): JsonObject {
  return bodyView(fullPayload(event), wordingOf(reader))
}

function asSent(text: string): string {
  return text.toWellFormed()
}

/** Whether a text is JSON whatever values stand at its marks: one within a text would end it. */
function isJsonAnyhow(outline: string): boolean {
  return ['0', '"a"'].every((value) => jsonFlaw(filledOutline(outline, value)) === null)
}

interface Judging {
  readonly outlines: Outlines
  readonly judge: OutlineJudge
  readonly viewFor: (event: ShipbellEvent, reader: Reader) => JsonObject
}

function judged(sources: readonly string[], { judge, outlines, viewFor }: Judging): OutlinesAlike {
  const hasAddress = sources.some(makesAddresses)
  return {
    isAlike: (event, reader) => {
      const verdict = judge.verdict(() => viewFor(event(), reader), reader)
      return verdict === false && hasAddress && hasHalves(event()) ? null : verdict
    },
    needsRecords: outlines.reads.records || outlines.reads.message,
    texts: outlines.texts,
  }
}

/** Half of a character cannot be put in an address: a template that does that fails. */
function hasHalves(event: ShipbellEvent): boolean {
  const { account, subject } = event
  const json = JSON.stringify([account, subject, thinData(event)])
  return withWholeCharacters(json) !== json
}
