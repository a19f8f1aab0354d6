import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Service } from '../../../src/app.ts'
import { systemClock } from '../../../src/clock.ts'
import { LiveConfig } from '../../../src/config/live-config.ts'
import { requireConfig } from '../../../src/config/load-config.ts'
import { createLogger } from '../../../src/log.ts'
import { field, isJsonArray, isJsonObject, textField, type Json } from '../../../src/model/json.ts'
import { table } from './markdown.ts'

/** Every path of the API with its parameters, from the document that a daemon serves. */
export async function apiPage(): Promise<string> {
  const document = await servedDocument()
  const sections = entries(field(document, 'paths')).flatMap(([at, methods]) =>
    entries(methods).map(([method, operation]) => section(`${method.toUpperCase()} ${at}`, operation, document)),
  )
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# API

What the daemon serves under \`/api/v1\`; \`npm run docs\` writes this page from the OpenAPI 3.1 document at
\`/api/openapi.json\`, which also has the shape of every answer and, as \`webhooks\`, of every event type.
[The desk](../how-to/desk.md) says how programs and people get in.

- Answers are JSON, in the shapes of [\`--json\`](json-output.md). Lists are \`{"items": [], "next": …}\`: \`next\` is the
  \`cursor\` of the part after it, and null at the end. A part may be shorter than \`limit\`, or empty, and not be the last.
- Behind what each does stands its \`operationId\`, the name of its function in clients that are generated.
- Times are ISO 8601 in UTC. Parameters that are not known are ignored.
- What is wrong is \`application/problem+json\` (RFC 9457): 400 the body is not JSON, 401 no valid token, 403 who may look
  does not act, 404, 405, 409 the state does not allow it, 413, 422 malformed, naming each parameter in \`errors\`, 503 the
  store cannot be read now.
`

function section(title: string, operation: Json, document: Json): string {
  const rows = items(field(operation, 'parameters')).map((parameter) => [
    `\`${textField(parameter, 'name')}\``,
    `${textField(parameter, 'in')}${field(parameter, 'required') === true ? ', required' : ''}`,
    meaning(parameter),
  ])
  const { fields, required } = body(operation, document)
  const inBody = fields.map(([name, shape]) => [
    `\`${name}\``,
    `body${required.includes(name) ? ', required' : ''}`,
    textField(shape, 'description') ?? '',
  ])
  const answers = entries(field(operation, 'responses'))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => `${status}: ${textField(answer, 'description')}`)
  const all = [...rows, ...inBody]
  const parameters = all.length === 0 ? '' : `\n${table(['parameter', 'in', 'is'], all)}`
  const name = textField(operation, 'operationId')
  return `## ${title}\n\n${textField(operation, 'summary')}. \`${name}\`; ${answers.join(' ')}\n${parameters}`
}

function meaning(parameter: Json): string {
  const schema = field(parameter, 'schema')
  const words = items(field(schema, 'enum')).map((word) => JSON.stringify(word).replaceAll('"', '`'))
  return [textField(parameter, 'description') ?? '', words.join(', ')].filter((part) => part !== '').join(' ')
}

function body(operation: Json, document: Json) {
  const content = field(field(field(operation, 'requestBody'), 'content'), 'application/json')
  const written = field(content, 'schema')
  const named = textField(written, '$ref')?.replace(/^.*\//, '')
  const schema = named === undefined ? written : field(field(field(document, 'components'), 'schemas'), named)
  return { fields: entries(field(schema, 'properties')), required: items(field(schema, 'required')) }
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}

function items(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : []
}

const CONFIGURATION = `accounts: { acme: { base_url: 'https://platform.example', api_key: key, watch: {} } }
http: { listen: '127.0.0.1:0' }
`

async function servedDocument(): Promise<Json> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-api-'))
  try {
    writeFileSync(path.join(folder, 'shipbell.yaml'), CONFIGURATION)
    const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
    const quiet = { level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined } as const
    const how = { log: createLogger(quiet), random: Math.random, progress: () => undefined }
    await using service = await Service.open({ ...how, live, clock: systemClock, command: 'run' })
    const server = await service.serve()
    const document: Json = JSON.parse(await (await fetch(`${server?.url}/api/openapi.json`)).text())
    return document
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
