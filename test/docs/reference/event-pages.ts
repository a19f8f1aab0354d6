import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { table } from './markdown.ts'

/** In the order of the index. The prefix of a type is its page. */
const FAMILIES = [...new Set(EVENT_CATALOGUE.map(({ type }) => familyOf(type)))]

/** An index of all event types, and a page for each family with an example of every type. */
export function eventPages(): readonly (readonly [string, string])[] {
  return [
    ['docs/reference/events.md', indexPage()],
    ...FAMILIES.map((family) => [`docs/reference/events/${family}.md`, familyPage(family)] as const),
  ]
}

function indexPage(): string {
  const sections = FAMILIES.map((family) => {
    const rows = typesOf(family).map(({ type, when }) => [`[\`${type}\`](events/${family}.md#${anchor(type)})`, when])
    return `## \`${family}.*\`\n\n${table(['type', 'rings'], rows)}`
  })
  return `${INDEX_HEAD}\n${sections.join('\n')}`
}

const INDEX_HEAD = `# Events

Every event type; each links to an example. \`npm run docs\` writes this page from the catalogue that \`shipbell events types\` prints.
[payload.md](payload.md) explains the fields that all events have.

A subscription names types exactly (\`invoice.due\`), by prefix (\`shipment.*\`), or all of them (\`*\`). \`*\` leaves out service events:
\`account.*\`, \`endpoint.*\` and \`shipbell.test\` are heard only where they are named.
`

function familyPage(family: string): string {
  const examples = typesOf(family).map(
    ({ type, when }) => `## ${type}\n\n${when}\n\n\`\`\`json event=${type}\n${example(type)}\n\`\`\`\n`,
  )
  return `# Events: \`${family}.*\`

An example of each type, as \`payload: thin\` sends it. \`payload: full\`, the default, adds \`object\`, \`previous\` and \`changes\` to \`data\`
where the event has them: see [payload.md](../payload.md). \`npm run docs\` writes this page.

${examples.join('\n')}`
}

function example(type: EventType): string {
  const body: unknown = JSON.parse(payloadBody(sampleEvent(type), { payload: 'thin', format: 'standard' }))
  return JSON.stringify(body, null, 2)
}

function typesOf(family: string) {
  return EVENT_CATALOGUE.filter(({ type }) => familyOf(type) === family)
}

function familyOf(type: string): string {
  return type.split('.')[0] ?? type
}

function anchor(type: string): string {
  return type.replaceAll('.', '')
}
