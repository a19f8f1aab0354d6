import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { field, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { TOKEN, type Answer, type Asking, type Desk } from './desk.ts'

const IN_Z = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** What it compiled, by the text of the document: desks have few different ones. */
const validators = new Map<string, Ajv2020>()

function validatorOf(document: JsonObject): Ajv2020 {
  const text = JSON.stringify(document)
  const made =
    validators.get(text) ??
    new Ajv2020({
      strict: false,
      allErrors: true,
      code: { optimize: false },
      formats: { 'date-time': IN_Z },
    }).addSchema({ ...document }, 'api')
  validators.set(text, made)
  return made
}

/** The OpenAPI document of a desk, and whether answers are as it says. */
export class Contract {
  readonly document: JsonObject
  readonly #desk: Desk
  readonly #ajv: Ajv2020
  /** Operations that were answered, as `GET /api/v1/events 200`. */
  readonly seen = new Set<string>()

  private constructor(desk: Desk, document: JsonObject) {
    this.#desk = desk
    this.document = document
    this.#ajv = validatorOf(document)
  }

  static async of(desk: Desk): Promise<Contract> {
    const { json } = await desk.ask('/api/openapi.json', { token: TOKEN })
    if (!isJsonObject(json)) throw new Error('There is no document.')
    return new Contract(desk, json)
  }

  /** Whether the document itself is as OpenAPI 3.1 says. */
  async problems(): Promise<unknown> {
    const { valid, errors } = await new Validator().validate({ ...this.document })
    return valid ? null : errors
  }

  get paths(): readonly string[] {
    return Object.keys(this.#paths)
  }

  get #paths(): JsonObject {
    const paths = field(this.document, 'paths')
    return isJsonObject(paths) ? paths : {}
  }

  /** Asks as `http.token` does, and holds the answer to the document. */
  async ask(path: string, asking: Asking = {}): Promise<Answer> {
    const answer = await this.#desk.during(this.#desk.ask(path, { token: TOKEN, ...asking }))
    const method = (asking.method ?? 'GET').toLowerCase()
    const template = this.#templateOf(path, method)
    const type = String(answer.headers['content-type']).split(';')[0] ?? ''
    const steps = ['paths', template, method, 'responses', String(answer.status), 'content', type, 'schema']
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const isValid = this.#ajv.getSchema(`api#/${pointer}`)
    if (isValid === undefined) throw new Error(`The document has nothing at ${pointer}.`)
    expect([path, isValid(answer.json) ? [] : isValid.errors]).toEqual([path, []])
    this.seen.add(`${method.toUpperCase()} ${template} ${answer.status}`)
    return answer
  }

  #templateOf(path: string, method: string): string {
    const { pathname } = new URL(path, 'http://desk')
    const found = this.paths
      .filter((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
      .toSorted((left, right) => left.split('{').length - right.split('{').length)
      .find((template) => field(this.#paths[template], method) !== undefined)
    if (found === undefined) throw new Error(`The document does not know ${method} ${pathname}.`)
    return found
  }
}

export function itemsOf(answer: Answer): readonly JsonObject[] {
  const items: Json | undefined = isJsonObject(answer.json) ? field(answer.json, 'items') : undefined
  return Array.isArray(items) ? items.filter(isJsonObject) : []
}
