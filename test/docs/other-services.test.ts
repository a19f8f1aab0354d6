import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { templatePayload } from '../../src/model/payload.ts'
import type { BodyTemplate } from '../../src/model/request-body.ts'
import { matchedTypes } from '../../src/route/matches.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { scratchFolder } from '../config/scratch.ts'
import { shownInTeams } from '../deliver/channels/chat/adaptive-card.ts'
import { completeConfig, environmentOf } from './complete-config.ts'
import { readPage } from './pages.ts'

// What each service publishes of the requests that it takes, as far as the bodies of the page have it. Lengths count characters.

const text = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength })
const object = (properties: JsonObject, required: readonly string[]) => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

/**
 * github.com/PagerDuty/api-schema, reference/events-v2/openapiv3.json, /enqueue; lengths by developer.pagerduty.com/docs/events-api-v2/trigger-events
 * (`summary` 1,024, `dedup_key` 255), and that of the key by its error ("should be 32 characters").
 */
const PAGERDUTY = object(
  {
    routing_key: { type: 'string' },
    event_action: { enum: ['trigger', 'acknowledge', 'resolve'] },
    dedup_key: text(255),
    payload: object(
      {
        summary: text(1_024),
        source: { type: 'string', minLength: 1 },
        severity: { enum: ['critical', 'warning', 'error', 'info'] },
        timestamp: { type: 'string', format: 'date-time' },
        component: { type: 'string' },
        group: { type: 'string' },
        class: { type: 'string' },
        custom_details: { type: 'object' },
      },
      ['summary', 'source', 'severity'],
    ),
  },
  ['routing_key', 'event_action', 'dedup_key'],
)

/** github.com/opsgenie/opsgenie-oas, definitions/alert.yaml, CreateAlertPayload; lengths by docs.opsgenie.com/docs/alert-api. */
const OPSGENIE = object(
  {
    message: text(130),
    alias: text(512),
    description: text(15_000),
    tags: { type: 'array', maxItems: 20, items: text(50) },
    details: { type: 'object', additionalProperties: { type: 'string' } },
    entity: text(512, 0),
    source: text(100),
    priority: { enum: ['P1', 'P2', 'P3', 'P4', 'P5'] },
    user: text(100),
    note: text(25_000),
  },
  ['message'],
)

/** As above, CloseAlertPayload, which is AlertActionPayload. */
const OPSGENIE_CLOSE = object({ user: text(100), note: text(25_000), source: text(100) }, [])

/** github.com/discord/discord-api-spec, specs/openapi.json, IncomingWebhookRequestPartial, RichEmbed and MessageAllowedMentionsRequest. */
const DISCORD = object(
  {
    content: { type: ['string', 'null'], maxLength: 2_000 },
    username: text(80),
    embeds: {
      type: 'array',
      maxItems: 10,
      items: object(
        {
          title: text(256),
          description: text(4_096),
          url: { type: 'string', format: 'uri', maxLength: 2_048 },
          color: { type: 'integer', minimum: 0, maximum: 16_777_215 },
          timestamp: { type: 'string', format: 'date-time' },
          footer: object({ text: text(2_048) }, ['text']),
        },
        [],
      ),
    },
    allowed_mentions: object(
      { parse: { type: 'array', items: { enum: ['users', 'roles', 'everyone'] }, uniqueItems: true } },
      [],
    ),
  },
  [],
)

/** github.com/binwiederhier/ntfy, server/types.go, publishMessage, and docs.ntfy.sh/publish: no schema is published. */
const NTFY = object(
  {
    topic: { type: 'string', pattern: '^[-_A-Za-z0-9]{1,64}$' },
    title: { type: 'string' },
    message: text(4_096),
    priority: { type: 'integer', minimum: 1, maximum: 5 },
    tags: { type: 'array', items: { type: 'string' } },
    click: { type: 'string' },
    markdown: { type: 'boolean' },
  },
  ['topic'],
)

/** The npm package @atlaskit/adf-schema, dist/json-schema/v1/full.json: doc, paragraph, text and the marks `code` and `link`. */
const ADF_TEXT = object(
  {
    type: { enum: ['text'] },
    text: { type: 'string', minLength: 1 },
    marks: {
      type: 'array',
      items: {
        anyOf: [
          object({ type: { enum: ['code', 'strong', 'em'] } }, ['type']),
          object({ type: { enum: ['link'] }, attrs: object({ href: { type: 'string' } }, ['href']) }, [
            'type',
            'attrs',
          ]),
        ],
      },
    },
  },
  ['type', 'text'],
)
const ADF = object(
  {
    type: { enum: ['doc'] },
    version: { enum: [1] },
    content: {
      type: 'array',
      items: object({ type: { enum: ['paragraph'] }, content: { type: 'array', items: ADF_TEXT } }, ['type']),
    },
  },
  ['version', 'type', 'content'],
)

/** developer.atlassian.com/cloud/jira/platform/rest/v3, Create issue; a summary is one line of at most 255, a label has no space. */
const JIRA = object(
  {
    fields: object(
      {
        project: object({ key: { type: 'string', pattern: '^[A-Z][A-Z0-9_]+$' } }, ['key']),
        issuetype: object({ name: text(255) }, ['name']),
        summary: { ...text(255), pattern: '^[^\\r\\n]+$' },
        description: ADF,
        labels: { type: 'array', items: { type: 'string', pattern: '^\\S{1,255}$' } },
      },
      ['project', 'issuetype', 'summary'],
    ),
  },
  ['fields'],
)

const PAGE = readPage('docs/how-to/other-services.md')
const FLOW: JsonObject = JSON.parse(PAGE.blocks.find(({ role }) => role === 'recipe=flow-schema')?.text ?? '')

const ajv = new Ajv({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/, uri: /^https?:/ } })

/** Judges a body by a schema, and by what `more` says. */
function bySchema(schema: JsonObject, more: (body: string) => void = () => undefined): (body: string) => void {
  const isValid = ajv.compile(schema)
  return (body) => {
    isValid(JSON.parse(body))
    expect(isValid.errors).toBeNull()
    more(body)
  }
}

function expectShort(body: string): void {
  const { embeds }: { readonly embeds: readonly { readonly title: string; readonly description: string }[] } =
    JSON.parse(body)
  // Counted as JavaScript counts, whoever counts otherwise counts less.
  for (const { description, title } of embeds)
    expect([title.length <= 256, description.length <= 2_000]).toEqual([true, true])
}

function expectNoAttachment(body: string): void {
  const { message }: { readonly message: string } = JSON.parse(body)
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096)
}

/** By the name of a recipe, a judge for each of its subscriptions. */
const JUDGES: Readonly<Record<string, readonly ((body: string) => void)[]>> = {
  pagerduty: [bySchema(PAGERDUTY)],
  opsgenie: [bySchema(OPSGENIE)],
  'opsgenie-close': [bySchema(OPSGENIE), bySchema(OPSGENIE_CLOSE)],
  discord: [bySchema(DISCORD, expectShort)],
  ntfy: [bySchema(NTFY, expectNoAttachment)],
  jira: [bySchema(JIRA)],
  'teams-card': [(body) => void shownInTeams(body)],
  flow: [bySchema(FLOW)],
}

const RECIPES = PAGE.blocks.filter(
  ({ language, role, options }) => language === 'yaml' && role === 'check' && 'recipe' in options,
)

const HOSTILE = [
  'He said "hi"\\',
  '","severity":"critical","x":"',
  'a\nb\r\nc\u2028d\te',
  '\u{1F6A2}'.repeat(5_000),
  'x'.repeat(40_000),
  '\uD83D{{ text }}{% raw %}',
  '\u202Eevil\u0000@everyone',
  '',
]

/** A payload in which every text of the record and about it is another. */
function withTexts(payload: JsonObject, hostile: string): JsonObject {
  const swapped = (value: Json): Json => {
    if (typeof value === 'string') return hostile
    if (isJsonArray(value)) return value.map(swapped)
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, swapped(each)]))
      : value
  }
  const { data = {}, subject = {} } = payload
  const about = isJsonObject(subject) ? { ...subject, id: hostile } : subject
  return { ...payload, subject: about, data: swapped(data) }
}

function textOf(template: BodyTemplate, payload: JsonObject): string {
  const made = template.render(payload, { language: 'en', timeZone: 'UTC' })
  return made.kind === 'body' ? made.text : `${made.place.line}:${made.place.column} ${made.reason}`
}

test('every recipe of the page is judged', () => {
  expect(RECIPES.map(({ options }) => options['recipe'])).toEqual(Object.keys(JUDGES))
})

/** The subscriptions of a recipe, with their templates. */
function subscriptionsOf(recipe: string) {
  const yaml = RECIPES.find(({ options }) => options['recipe'] === recipe)?.text ?? ''
  const cwd = scratchFolder({ 'shipbell.yaml': completeConfig(yaml) })
  const { config, problems } = loadConfig('shipbell.yaml', { env: environmentOf(yaml), cwd })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return (config?.subscriptions ?? []).map((subscription) => {
    const { channel } = subscription
    const template = 'body' in channel ? channel.body?.template : undefined
    if (template === undefined) throw new Error('There is no body.')
    return { subscription, template }
  })
}

test.each(Object.entries(JUDGES))('%s takes what is heard, whatever records hold', (recipe, judges) => {
  const takers = subscriptionsOf(recipe)
  expect(takers).toHaveLength(judges.length)
  for (const [place, { subscription, template }] of takers.entries()) {
    const judge = judges[place] ?? expect.fail('There is no judge.')
    for (const type of matchedTypes(subscription)) {
      const payload = templatePayload({
        event: sampleEvent(type),
        subscription: 'x',
        place: { series: 's', position: 1 },
      })
      judge(textOf(template, payload))
      for (const hostile of HOSTILE) judge(textOf(template, withTexts(payload, hostile)))
    }
    judge(textOf(template, templatePayload({ event: sampleEvent('shipbell.test'), subscription: 'x' })))
  }
})

test('what PagerDuty is told of a problem and of its end is one alert', () => {
  const [taker] = subscriptionsOf('pagerduty')
  const template = taker?.template ?? expect.fail('There is no template.')
  const told = (
    ['shipment.problem_reported', 'shipment.problem_cleared', 'invoice.overdue', 'invoice.overdue_cleared'] as const
  ).map((type) => {
    const payload = templatePayload({ event: sampleEvent(type), subscription: 'x' })
    const { event_action: action, dedup_key: key }: Record<string, string> = JSON.parse(
      template === undefined ? '{}' : textOf(template, payload),
    )
    return { action, key }
  })
  const milestone = told[0]?.key?.split('/')[2]
  expect(milestone).toMatch(/^(?:pickup|departure|arrival|delivery)$/)
  expect(told).toEqual([
    { action: 'trigger', key: `acme/shipment.problem/${milestone}/SHP-1` },
    { action: 'resolve', key: `acme/shipment.problem/${milestone}/SHP-1` },
    { action: 'trigger', key: 'acme/invoice.overdue//INV-1' },
    { action: 'resolve', key: 'acme/invoice.overdue//INV-1' },
  ])
})
