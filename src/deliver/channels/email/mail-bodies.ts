import { LiquidEngine, type Compiled } from '../../../message/liquid.ts'
import type { JsonObject } from '../../../model/json.ts'
import { HTML_TEMPLATE } from './html-template.ts'
import type { MailView } from './mail-view.ts'
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

/** Whatever the view holds is escaped for where it goes. */
export function bodiesOf(view: MailView): MailBodies {
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

function contextOf({ lead, chips, sections, ...view }: MailView): JsonObject {
  return {
    ...view,
    lead: [...lead],
    chips: chips.map((chip) => ({ ...chip })),
    sections: sections.map(({ title, groups }) => ({
      title,
      groups: groups.map(({ tone, items, facts, links }) => ({
        tone,
        items: items.map((item) => ({ ...item, links: item.links.map((link) => ({ ...link })) })),
        links: links.map((link) => ({ ...link })),
        facts: facts.map((fact) => ({ ...fact })),
      })),
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
{% endif %}{% for group in section.groups %}
{% for item in group.items %}- {{ item.sentence }}
  {{ item.when }}
{% for link in item.links %}  {{ link.label }}{{ colon }}{{ link.url }}
{% endfor %}{% endfor %}{% for fact in group.facts %}{% unless single %}  {% endunless %}{% if fact.label %}{{ fact.label }}{{ colon }}{% endif %}{{ fact.value }}
{% endfor %}{% for link in group.links %}{{ link.label }}{{ colon }}{{ link.url }}
{% endfor %}{% endfor %}{% endfor %}
{% if more != '' %}
{{ more }}
{% endif %}
-- 
{{ footer }}
`
