import { asText, field, isJsonObject, textField, type Json, type JsonObject } from '../model/json.ts'
import type { EventLink } from '../model/event-link.ts'
import { isRecordResource, type RecordResource } from '../model/resource.ts'
import type { MessageTemplates, TemplateFailure } from '../model/message-template.ts'
import { severityOf, type Severity } from '../model/severity.ts'
import type { Fact } from './facts/fact.ts'
import { factsOf } from './facts/facts.ts'
import { LiquidEngine, type Compiled } from './liquid.ts'
import { lineSayingOf, sayingOf, type Saying } from './languages/sentences.ts'
import { renderedBy } from './template/rendered-by.ts'
import { passedBound, placed, templateProblem } from './template/template-problem.ts'
import { titleOf } from './title.ts'
import { toldPayload } from './message-fields.ts'
import { moment } from './words/moment.ts'
import { cut } from './words/short.ts'
import { AS_SENT, inLanguage, type Wording } from './wording/wording.ts'

/** One event as people read it, in plain text that nothing escapes yet: whoever puts it out escapes it for where it goes. */
export interface Message {
  /** The event type as it is shown: that of a test begins with that word. */
  readonly type: string
  readonly tone: Severity
  /** One sentence, or the headline of an operator's template. */
  readonly sentence: string
  /** What the sentence says, for below the name of its shipment, which is not named again; else the sentence. */
  readonly line: string
  /** The news in a headline, for a subject or a notification. */
  readonly title: string
  readonly facts: readonly Fact[]
  /** What people call the subject of the event. */
  readonly about: string
  /** When the event was found, on the reader's clock. */
  readonly seen: string
  /** How the message is said, and all around it. */
  readonly wording: Wording
  /** Where to read more; left out: nowhere. */
  readonly links?: readonly EventLink[]
}

/** Sentences leave as plain text; made when first needed. */
let plain: LiquidEngine | null = null
const COMPILED = new Map<string, Compiled>()

export interface MessageOptions {
  readonly templates?: Pick<MessageTemplates, 'get'> | null
  /** Hears of a template that cannot render the payload; the built-in message stands in. */
  readonly failed?: (failure: TemplateFailure) => void
  /** How the message is said; left out: in English, dates as they were sent. */
  readonly wording?: Wording
  /** Makes the commands of a sentence of ours such as can be pasted; left out: they stay. */
  readonly commands?: (sentence: string) => string
}

/** Renders a payload (guarantee P6, full or thin) for people. Never throws, whatever the payload holds. */
export function messageOf(payload: Json, options: MessageOptions = {}): Message {
  const told = toldPayload(payload)
  const { isOwn, message: content } = contentOf(payload, told, options)
  const message = markedOf(payload, content)
  return { ...message, title: titleOf(told, { ...message, isOwn }) }
}

type Untitled = Omit<Message, 'title'>

function markedOf(payload: Json, message: Untitled): Untitled {
  if (isTest(payload)) return testMessage(message)
  return textField(payload, 'cause') === 'reminder' ? reminderMessage(payload, message) : message
}

/** A sample that was sent to try something says so first, whatever it is of; `shipbell.test` says nothing else. */
function testMessage(message: Untitled): Untitled {
  const { facts, line, sentence, type, wording } = message
  if (type === TEST) return message
  const { colon, test } = wording.terms
  return {
    ...message,
    type: `${test.mark} · ${type}`,
    sentence: `${test.mark}${colon}${sentence}`,
    line: `${test.mark}${colon}${line}`,
    facts: [{ name: null, label: null, value: test.note }, ...facts],
  }
}

/** What is told again says so first, and since when it is so. */
function reminderMessage(payload: Json, message: Untitled): Untitled {
  const { line, sentence, type, wording } = message
  const { colon, reminder } = wording.terms
  const since = moment(field(field(payload, 'data'), 'open_since'), wording)
  const mark = `${reminder.mark} (${reminder.since} ${since})${colon}`
  return { ...message, type: `${reminder.mark} · ${type}`, sentence: `${mark}${sentence}`, line: `${mark}${line}` }
}

const TEST = 'shipbell.test'

function isTest(payload: Json): boolean {
  return textField(payload, 'cause') === 'test'
}

interface Content {
  readonly message: Untitled
  /** Whether an operator's template says it. */
  readonly isOwn: boolean
}

/** `told`: the payload as built-in messages are shown it; an operator's template is shown all of it. */
function contentOf(payload: Json, told: Json, options: MessageOptions): Content {
  const { templates, failed, wording = AS_SENT, commands = unchanged } = options
  const type = textField(payload, 'type') ?? 'unknown'
  const message: Untitled = {
    type,
    tone: toneOf(told),
    sentence: commands(sentenceOf(told, wording)),
    line: commands(lineOf(told, wording)),
    facts: factsOf(told, wording),
    about: subjectName(told),
    seen: moment(field(told, 'timestamp'), wording),
    wording,
  }
  const template = templates?.get(type)
  if (template === undefined) return { message, isOwn: false }
  try {
    const own = renderedBy(template, viewOf(payload, message), wording)
    return { message: { ...message, ...own, line: own.sentence }, isOwn: true }
  } catch (error) {
    const problem = templateProblem(error)
    failed?.({ template, type, reason: placed(template.file, problem), bound: passedBound(problem) })
    return { message, isOwn: false }
  }
}

function unchanged(sentence: string): string {
  return sentence
}

/** The tone alone: how bad the event is, but a test is never urgent. */
export function toneOf(payload: Json): Severity {
  return isTest(payload) ? 'neutral' : severityOf(textField(payload, 'type') ?? 'unknown', field(payload, 'data'))
}

/** The sentence alone. */
export function sentenceOf(payload: Json, wording: Wording = AS_SENT): string {
  return said(payload, sayingOf(textField(payload, 'type') ?? 'event', wording.language), wording)
}

/** What is said of a shipment below its name, or behind it: a sentence that does not name it again. */
export function lineOf(payload: Json, wording: Wording = AS_SENT): string {
  return said(payload, lineSayingOf(textField(payload, 'type') ?? 'event', wording.language), wording)
}

function said(payload: Json, { say, language }: Saying, wording: Wording): string {
  plain ??= new LiquidEngine((text) => text)
  const template = COMPILED.get(say) ?? plain.compile(say)
  COMPILED.set(say, template)
  try {
    return plain.render(template, contextOf(payload), { strict: false, wording: inLanguage(wording, language) })
  } catch {
    // A value that a filter refuses: people still hear what happened to whom.
    return `${textField(payload, 'type') ?? 'event'}: ${subjectName(payload)}.`
  }
}

/** What an operator's template sees: what phrases see, and what the built-in message says. */
export function viewOf(payload: Json, { sentence, facts }: Pick<Message, 'sentence' | 'facts'>): JsonObject {
  return { ...contextOf(payload), sentence, facts: facts.map(({ name, label, value }) => ({ name, label, value })) }
}

/** What phrases see: the payload, and `it`, the name of its subject. */
function contextOf(payload: Json): JsonObject {
  return { ...(isJsonObject(payload) ? payload : {}), it: subjectName(payload) }
}

const LONGEST = 120

/** The name that people know each record by, beside its id; null: it has none. */
const NAME_OF: Readonly<Record<RecordResource, (data: Json | undefined) => string | null>> = {
  shipment: (data) => textField(field(data, 'shipment'), 'name'),
  tracking: (data) => textField(field(data, 'shipment'), 'name'),
  invoice: (data) => textField(field(data, 'object'), 'number'),
  document: (data) => textField(field(data, 'object'), 'name'),
  purchase_order: () => null,
  location: (data) => {
    const location = field(data, 'object')
    return textField(location, 'name') ?? textField(location, 'company_name') ?? asText(field(location, 'city'))
  },
  order_preparation: () => null,
}

/** What people call the subject of a payload: a shipment by its name and id, a document by its file name. */
function subjectName(payload: Json): string {
  const subject = field(payload, 'subject')
  const resource = textField(subject, 'resource') ?? ''
  const name = isRecordResource(resource) ? NAME_OF[resource](field(payload, 'data')) : null
  return named(name, textField(subject, 'id') ?? '–')
}

function named(name: string | null, id: string): string {
  return name === null || name === id ? cut(id, LONGEST) : `${cut(name, LONGEST)} (${cut(id, LONGEST)})`
}
