import { expect, it } from 'vitest'
import { sayingOf } from '../../src/message/languages/sentences.ts'
import { LiquidEngine } from '../../src/message/liquid.ts'
import { messageOf, viewOf } from '../../src/message/message.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { fullPayload } from '../../src/model/payload.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'

const OPERATORS = `{% assign it = data.shipment.name | default: "none" %}{{ it | upcase }} {{ data["shipment"].id | json }} {{ facts.size }}
{% for fact in facts %}{{ forloop.index }} {{ fact.label }}: {{ fact.value | truncate: 12, "…" }} {% unless forloop.last %}+{% endunless %}{% endfor %}
{% case subject.resource %}{% when "shipment" %}{{ data.shipment.container_numbers[0] }}{{ data.shipment.container_numbers | join: "|" }}{% else %}{{ subject }}{% endcase %}
{% capture name %}{{ subject.id }}{% endcapture %}{{ name }}{{ facts.first.value | append: name }}{{ data.changes | map: "path" }}`

const VIEWS: readonly JsonObject[] = EVENT_CATALOGUE.map(({ type }) => {
  const payload = fullPayload(sampleEvent(type))
  return viewOf(payload, messageOf(payload))
})

it.each([false, true])('a value that is found straight is what the library finds (of bodies: %s)', (makesBodies) => {
  const engine = new LiquidEngine((text) => `<${text}>`, { makesBodies, mostWork: 1_000_000 })
  const sources = [OPERATORS, ...EVENT_CATALOGUE.map(({ type }) => sayingOf(type, 'en').say)]
  let compared = 0
  for (const [nth, source] of sources.entries()) {
    const template = engine.compile(source)
    // Each with its own event, and some others.
    for (const view of VIEWS.filter((_, at) => nth === 0 || (nth - 1 - at) % 12 === 0)) {
      const slow = rendered(() => engine.render(template, view, { strict: true }))
      const quick = rendered(() => engine.render(template, view, { strict: false }))
      // What lacks a name is refused where names are strict.
      if (slow.startsWith('undefined variable')) continue
      expect(quick).toBe(slow)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(VIEWS.length)
})

function rendered(render: () => string): string {
  try {
    return render()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
