import { LiquidEngine, type Compiled } from '../../../message/liquid.ts'
import type { JsonObject } from '../../../model/json.ts'
import { HTML_TEMPLATE, TONE_COLOURS } from './html-template.ts'
import type { MailView, Room } from './mail-view.ts'
import { LONGEST_LINE } from '../told-entries.ts'
import { plainText } from './plain-text.ts'

/** A mail twice: mail programs show the HTML, everything else reads the text. */
export interface MailBodies {
  readonly text: string
  readonly html: string
}

interface Renderer {
  readonly engine: LiquidEngine
  readonly template: Compiled
}

/** Made when first needed. */
let renderers: { readonly text: Renderer; readonly html: Renderer } | null = null

/** How much is told, the most first. */
const ROOMS: readonly [Room, ...Room[]] = [
  { characters: LONGEST_LINE, lines: 40 },
  { characters: 160, lines: 40 },
  { characters: 90, lines: 30 },
  { characters: 60, lines: 16 },
]
/** 60 kB, less what is around the bodies of a mail. */
const MOST_BYTES = 57_000

/** The mail that tells the most of all that are not too large to be read at one look. */
export function fittingBodies(viewIn: (room: Room) => MailView): MailBodies {
  const [first, ...smaller] = ROOMS
  let bodies = bodiesOf(viewIn(first))
  for (const room of smaller) {
    if (encodedSize(bodies.text) + encodedSize(bodies.html) <= MOST_BYTES) return bodies
    bodies = bodiesOf(viewIn(room))
  }
  return bodies
}

/** The most bytes that a text takes in a mail, quoted-printable or in base64. */
function encodedSize(text: string): number {
  const bytes = Buffer.from(text)
  let plain = 0
  for (const byte of bytes) if (byte < 0x80 && byte !== 0x3d) plain += 1
  const quoted = plain + 3 * (bytes.length - plain)
  return Math.max(quoted * 1.06, bytes.length * 1.4)
}

/** Whatever the view holds is escaped for where it goes. */
function bodiesOf(view: MailView): MailBodies {
  renderers ??= { text: renderer(plainText, TEXT_TEMPLATE), html: renderer(htmlText, HTML_TEMPLATE) }
  const context = contextOf(view)
  return { text: tidy(render(renderers.text, context)), html: render(renderers.html, context) }
}

function renderer(escape: (text: string) => string, template: string): Renderer {
  const engine = new LiquidEngine(escape)
  return { engine, template: engine.compile(template) }
}

function render({ engine, template }: Renderer, context: JsonObject): string {
  return engine.render(template, context, { strict: true })
}

/** The colours as a template takes them. */
const TONES: JsonObject = Object.fromEntries(
  Object.entries(TONE_COLOURS).map(([tone, colours]) => [tone, { ...colours }]),
)

function contextOf({ lead, chips, facts, links, sections, ...view }: MailView): JsonObject {
  return {
    ...view,
    tones: TONES,
    lead: [...lead],
    chips: chips.map((chip) => ({ ...chip })),
    facts: facts.map((fact) => ({ ...fact })),
    links: links.map((link) => ({ ...link })),
    sections: sections.map(({ title, sums, items }) => ({
      title,
      sums: [...sums],
      items: items.map((item) => ({ ...item, lines: [...item.lines] })),
    })),
  }
}

/** One empty line at most between two parts. */
function tidy(text: string): string {
  return `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text for an HTML document, between tags or inside a quoted attribute. */
function htmlText(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** What `MailView` is in plain text. */
const TEXT_TEMPLATE = `{{ title }}
{% for line in lead %}{{ line }}
{% endfor %}{% for section in sections %}
{% if section.title != '' %}
{{ section.title | upcase }}
{% endif %}{% for sum in section.sums %}{{ sum }}
{% endfor %}{% for item in section.items %}{% if single %}{% for line in item.lines %}- {{ line }}
{% endfor %}{% else %}- {{ item.text }}{% if item.url != '' %} {{ item.url }}{% endif %}
{% endif %}{% endfor %}{% endfor %}{% if facts.size > 0 %}
{% for fact in facts %}{% if fact.label %}{{ fact.label }}{{ colon }}{% endif %}{{ fact.value }}
{% endfor %}{% endif %}{% if links.size > 0 %}
{% for link in links %}{{ link.label }}{{ colon }}{{ link.url }}
{% endfor %}{% endif %}
{% if more != '' %}
{{ more }}
{% endif %}
-- 
{{ footer }}
`
