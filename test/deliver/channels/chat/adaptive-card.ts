import { createRequire } from 'node:module'
import type * as AdaptiveCards from 'adaptivecards'
import MarkdownIt from 'markdown-it'
import { isJsonObject, type Json, type JsonObject } from '../../../../src/model/json.ts'
import { expect } from 'vitest'

/** Cards of a workflow are limited to 28 kB, and some of 21 kB have been refused; counted as it counts most. */
const MOST = 21_000

/** Its module for bundlers is none for Node. */
const adaptiveCards: typeof AdaptiveCards = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js')

/** As Teams reads facts: a part of CommonMark, which is all that Adaptive Cards have. */
const markdown = new MarkdownIt({ html: false, linkify: false })

/** Every text of a message as people see it, in the order of the screen; throws where Teams would not take it. */
export function shownInTeams(body: string): readonly string[] {
  const { type, attachments, ...rest } = JSON.parse(body)
  expect({ type, rest }).toEqual({ type: 'message', rest: {} })
  const [{ contentType, content }] = attachments
  expect([attachments.length, contentType]).toEqual([1, 'application/vnd.microsoft.card.adaptive'])
  expect(sizeOf(body)).toBeLessThan(MOST)
  expectValidCard(content)
  return content.body.flatMap(textsOf).map((text: string) => text.replaceAll('{\u200b{', '{{'))
}

/** Microsoft's own reader finds nothing to complain about, and nothing that it does not know. */
function expectValidCard(content: JsonObject): void {
  const { AdaptiveCard, SerializationContext, Versions } = adaptiveCards
  const context = new SerializationContext(Versions.v1_4)
  const card = new AdaptiveCard()
  card.parse(content, context)
  const complaints = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message)
  expect(complaints).toEqual([])
  // It writes styles and sizes as it likes them, and leaves out what is the default.
  expect(keysOf(card.toJSON())).toEqual(keysOf(content))
}

function keysOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(keysOf)
  if (typeof node !== 'object' || node === null) return typeof node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, keysOf(value)]))
}

function textsOf(element: Json): readonly string[] {
  if (!isJsonObject(element)) return []
  const { type, items, inlines, facts } = element
  if (type === 'Container') return listed(items).flatMap(textsOf)
  if (type === 'RichTextBlock') return [listed(inlines).map(textOf('text')).join('')]
  if (type !== 'FactSet') throw new Error(`an element ${JSON.stringify(type)}`)
  return listed(facts).map((fact) => `${read(textOf('title')(fact))}: ${read(textOf('value')(fact))}`)
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function textOf(key: string): (node: Json) => string {
  return (node) => (isJsonObject(node) && typeof node[key] === 'string' ? node[key] : '')
}

/** The text of one paragraph without any markup; throws where there is markup. */
function read(text: string): string {
  const [, inner = null] = /^<p>([^<]*)<\/p>\n$/.exec(markdown.render(text)) ?? []
  if (inner === null) throw new Error(`markup: ${text}`)
  return unescaped(inner)
}

/** What a text node of HTML says. */
export function unescaped(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** In bytes, everything beyond ASCII as `\uXXXX`. */
export function sizeOf(body: string): number {
  return body.length + 5 * (body.match(/[^\0-\x7f]/g)?.length ?? 0)
}
