import { Output, TagToken, TokenKind, analyzeSync, type Template } from 'liquidjs'
import type { JsonObject } from '../../model/json.ts'
import type { Reader } from '../../model/reader.ts'
import type { Compiled, LiquidEngine } from '../liquid.ts'
import { wordingOf } from '../wording/wording.ts'
import { filtersIn, neverFails } from './never-fails.ts'
import { childrenOf, namesSetBy, readsOf, type Reads } from './template-reads.ts'

/** What two templates render, in which one mark each stands for what both put out in the same words. */
export interface Outlines {
  /** The marks, by what both templates say at their places. */
  readonly marks: ReadonlyMap<string, string>
  /** What the outlines depend on. */
  readonly reads: Reads
  /** The outlines of an event: where they are equal, so are the texts; null: it cannot be told. */
  readonly of: (view: JsonObject, reader: Reader) => readonly [string, string] | null
  /** The texts themselves: what both put out in the same words is rendered once; null: it cannot be told, or a text is very long. */
  readonly texts: (view: JsonObject, reader: Reader) => readonly [string, string] | null
}

/** How an engine makes a text: `json` where all that both put out has to be a value of JSON. */
export interface OutlineUse {
  readonly engine: LiquidEngine
  readonly isJson: boolean
}

/** Marks are characters of the private use area. */
const FIRST_MARK = 0xe000
const MOST_MARKS = 0x1900
const MARKS = /[\ue000-\uf8ff]/g

export function isMarked(text: string): boolean {
  return text.search(MARKS) !== -1
}

export function withoutMarks(text: string): string {
  return filledOutline(text, '')
}

/** An outline with a text in place of each mark. */
export function filledOutline(outline: string, text: string): string {
  return outline.replaceAll(MARKS, text)
}

/** The outlines of two templates that fail on no event; null: one may, or has a part whose meaning depends on what came before. */
export function outlinesOf(old: string, other: string, use: OutlineUse): Outlines | null {
  const both = [old, other].map((source) => ({ source, templates: use.engine.compile(source) }))
  if (!both.every(({ templates }) => neverFails(templates)) || both.some(({ source }) => GOES_ON.test(source)))
    return null
  const set = new Set(both.flatMap(({ templates }) => namesSetBy(templates)))
  const [one, another] = both.map((each) => partsOf(each.templates, each.source))
  if (one === undefined || another === undefined) return null
  const opened = new Opened(common(one, another), set, use)
  for (const parts of [one, another]) opened.open(parts)
  const [before, after] = both.map(({ templates }) => templates)
  if (before === undefined || after === undefined || opened.marks.size > MOST_MARKS) return null
  const of: Outlines['of'] = (view, reader) => {
    const [first, second] = [opened.render(before, view, reader), opened.render(after, view, reader)]
    return first === null || second === null ? null : [first, second]
  }
  return {
    marks: opened.marks,
    reads: readsOf([before, after]),
    of,
    texts: (view, reader) => {
      const [first, second] = of(view, reader) ?? [null, null]
      return first === null || second === null ? null : opened.filled([first, second], view, reader)
    },
  }
}

/** Longer texts are left to the templates, which have bounds. */
const LONGEST_TEXT = 20_000

/** A loop that begins where another of the same list ended. */
const GOES_ON = /\boffset\s*:\s*continue\b/

/** A node of a template, with its text up to the node behind it. */
interface Part {
  readonly template: Template
  readonly text: string
  readonly parts: readonly Part[]
}

function partsOf(templates: Compiled, source: string, end = source.length): readonly Part[] {
  return templates.map((template, nth) => {
    const until = templates[nth + 1]?.token.begin ?? end
    // A loop has a meter of its work within it, which stands where the loop does.
    const children = childrenOf(template).filter(({ token }) => token !== template.token)
    return {
      template,
      text: source.slice(template.token.begin, until),
      parts: partsOf(children, source, until),
    }
  })
}

function common(one: readonly Part[], other: readonly Part[]): ReadonlySet<string> {
  const texts = new Set(textsOf(other))
  return new Set(textsOf(one).filter((text) => texts.has(text)))
}

function textsOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ parts: inner, text }) => [text, ...textsOf(inner)])
}

/** Tags that do nothing but put out what they read. */
const SHOWING: ReadonlySet<string> = new Set(['case', 'for', 'if', 'unless'])

/** Templates whose common parts put out marks. */
class Opened {
  readonly #common: ReadonlySet<string>
  readonly #set: ReadonlySet<string>
  readonly #use: OutlineUse
  readonly #marks = new Map<string, string>()
  /** What stands at each mark. */
  readonly #marked = new Map<string, Template>()
  /** How many marks the rendering under way has put out. */
  #written = 0

  constructor(texts: ReadonlySet<string>, set: ReadonlySet<string>, use: OutlineUse) {
    this.#common = texts
    this.#set = set
    this.#use = use
  }

  get marks(): ReadonlyMap<string, string> {
    return this.#marks
  }

  open(parts: readonly Part[]): void {
    for (const { parts: inner, template, text } of parts) {
      if (this.#common.has(text) && this.#isFree(template)) this.#replace(template, this.#markOf(text))
      // What is captured may be altered before it is put out.
      else if (nameOf(template) !== 'capture') this.open(inner)
    }
  }

  /** The outline of a template; null: it fails, or a value looks like a mark. */
  render(templates: Compiled, view: JsonObject, reader: Reader): string | null {
    this.#written = 0
    try {
      const outline = this.#use.engine.render(templates, view, { strict: false, wording: wordingOf(reader) })
      return (outline.match(MARKS)?.length ?? 0) === this.#written ? outline : null
    } catch {
      return null
    }
  }

  /** Two outlines with what stands at their marks; null: that fails, or is very long. */
  filled(outlines: readonly [string, string], view: JsonObject, reader: Reader): readonly [string, string] | null {
    const texts = new Map<string, string>()
    const textAt = (mark: string): string => {
      const known = texts.get(mark) ?? this.#textAt(mark, view, reader)
      texts.set(mark, known)
      return known
    }
    try {
      const [one, another] = [outlines[0].replaceAll(MARKS, textAt), outlines[1].replaceAll(MARKS, textAt)]
      return Math.max(one.length, another.length) > LONGEST_TEXT ? null : [one, another]
    } catch {
      return null
    }
  }

  #textAt(mark: string, view: JsonObject, reader: Reader): string {
    const template = this.#marked.get(mark)
    if (template === undefined) throw new Error('Each mark stands for something.')
    return this.#use.engine.render([template], view, { strict: false, wording: wordingOf(reader) })
  }

  #markOf(text: string): string {
    const mark = this.#marks.get(text) ?? String.fromCharCode(FIRST_MARK + this.#marks.size)
    this.#marks.set(text, mark)
    return mark
  }

  #replace(template: Template, mark: string): void {
    const render: Template['render'] = (_, emitter) => {
      this.#written += 1
      emitter.write(mark)
    }
    if (!this.#marked.has(mark))
      this.#marked.set(mark, { token: template.token, render: template.render.bind(template) })
    // It reads nothing any more.
    Object.assign(template, { render, arguments: undefined, children: undefined })
  }

  /** Whether what it puts out depends on nothing but the event. */
  #isFree(template: Template): boolean {
    if (!(template instanceof Output) && !SHOWING.has(nameOf(template))) return false
    if (this.#use.isJson && (!(template instanceof Output) || filtersIn(template).at(-1) !== 'json')) return false
    const { globals, locals } = analyzeSync([template])
    return Object.keys(locals).length === 0 && Object.keys(globals).every((name) => !this.#set.has(name))
  }
}

function nameOf({ token }: Template): string {
  return token instanceof TagToken && token.kind === TokenKind.Tag ? token.name : ''
}
