import { isDeepStrictEqual } from 'node:util'
import { inertText } from '../../deliver/channels/chat/inert-text.ts'
import { messageRenderer } from '../../deliver/channels/message-renderer.ts'
import { viewOf } from '../../message/message.ts'
import { differingPart, type DifferingPart } from '../../message/template/differing-part.ts'
import { OperatorBody } from '../../message/template/body-template.ts'
import { OperatorTemplate } from '../../message/template/operator-template.ts'
import { shownLines } from '../../message/template/rendered-by.ts'
import { thinData } from '../../model/event-data.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Reader } from '../../model/reader.ts'
import { bodyOf, type MadeBody, type RequestBody } from '../../model/request-body.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'

/** Tells whether two templates make the same of an event, by the part in which they differ alone; null: that does not tell. */
export interface PartsAlike<Asked> {
  readonly isAlike: (event: ShipbellEvent, asked: Asked) => boolean | null
  /** Whether that takes the records that events show. */
  readonly needsRecords: boolean
}

type Peoples = Extract<ChannelSettings, PeoplesChannel>

/** Compares messages that differ by their templates alone, as templates make them: whether a channel cuts what is too long is not asked. */
export function messagePartsAlike(old: Peoples, other: Peoples): PartsAlike<Reader> {
  // One template is that of many types.
  const known = new Map<string, PartAlike | null>()
  const partOf = (type: string): PartAlike | null => {
    const [before, after] = [old, other].map(({ templates }) => templates.get(type))
    if (before === undefined || after === undefined) return null
    const key = JSON.stringify([before.source, after.source])
    const part = known.get(key)
    if (part !== undefined) return part
    const made = messageParts(before, after)
    known.set(key, made)
    return made
  }
  const parts = new Map([...old.templates.keys(), ...other.templates.keys()].map((type) => [type, partOf(type)]))
  // A digest tells of an event what fits in a line.
  const isWhole = !('digest' in old) || old.digest === null
  return {
    isAlike: (event, reader) => {
      const part = parts.get(event.type) ?? null
      return part === null || !isWhole || hasHalves(event) ? null : part(event, reader)
    },
    needsRecords: !isWhole || [...parts.values()].some((part) => part === null || part.needsRecords),
  }
}

type PartAlike = ((event: ShipbellEvent, reader: Reader) => boolean | null) & { readonly needsRecords: boolean }

function messageParts(before: MessageTemplate, after: MessageTemplate): PartAlike | null {
  const part = differingPart(before.source, after.source, 'message')
  if (part === null) return null
  const templates = [part.old, part.new].map((source) => new OperatorTemplate(before.file, source))
  const isAlike = (event: ShipbellEvent, reader: Reader): boolean | null => {
    const view = viewOf(fullPayload(event), saidOf(event, part, reader))
    const [one, another] = templates.map((template) => rendered(template, view, reader))
    if (one === undefined || another === undefined) return null
    if (isDeepStrictEqual(one, another)) return true
    // What cannot be seen some channels leave out.
    const isSeen = !isDeepStrictEqual(one.map(inertText), another.map(inertText))
    return isSeen && part.tellsApart ? false : null
  }
  return Object.assign(isAlike, { needsRecords: !part.tellsApart || part.reads.records })
}

/** The lines of a part; undefined: it fails on the event. */
function rendered(template: OperatorTemplate, view: JsonObject, reader: Reader): readonly string[] | undefined {
  try {
    return shownLines(template.render(view, reader))
  } catch {
    return undefined
  }
}

function saidOf(event: ShipbellEvent, { reads }: DifferingPart, { language, timeZone }: Reader) {
  if (!reads.message) return { sentence: '', facts: [] }
  return messageRenderer({ templates: new Map(), language, timeZone }, {})(event)
}

/** Half of a character cannot be put in an address: a template that does that fails. */
function hasHalves(event: ShipbellEvent): boolean {
  return /\\ud[89a-f]/i.test(JSON.stringify(thinData(event)))
}

/** Compares bodies that differ by their templates alone; null: only whole bodies tell. */
export function bodyPartsAlike(old: RequestBody, other: RequestBody): PartsAlike<string | null> | null {
  const [{ template: before }, { template: after }] = [old, other]
  if (before.isJson !== after.isJson) return null
  const part = differingPart(before.source, after.source, before.isJson ? 'json' : 'text')
  if (part === null) return null
  // In brackets it always renders something; values of JSON are JSON already.
  const parts = [part.old, part.new].map(
    (source) => new OperatorBody({ file: null, isJson: false, source: `[${source}]` }),
  )
  let areMade: boolean | null = null
  return {
    isAlike: (event, zone) => {
      const shown = { event, subscription: '' }
      areMade ??= part.tellsApart && [old, other].some((body) => bodyOf(body, shown, zone).kind === 'body')
      const [one, another] = parts.map((template) => textOf(bodyOf({ ...old, template }, shown, zone)))
      if (one === undefined || another === undefined) return null
      if (one === another) return true
      return areMade && !hasHalves(event) ? false : null
    },
    needsRecords: !part.tellsApart || part.reads.records,
  }
}

function textOf(made: MadeBody): string | undefined {
  return made.kind === 'body' ? made.text : undefined
}
