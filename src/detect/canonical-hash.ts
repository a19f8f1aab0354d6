import { hash } from 'node:crypto'
import type { JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'
import { canonical } from './compare/canonical.ts'
import { comparedView } from './ignore/compared-view.ts'
import { RESOURCE_RULES } from './resource-rules.ts'

/** A short text that is equal for records of the same meaning, so far as rounding allows, whatever their rendering. */
export function canonicalHash(resource: RecordResource, record: JsonObject, ignore: readonly string[]): string {
  const { shape } = comparedView(RESOURCE_RULES[resource].shape, ignore)
  return hash('sha256', canonical(shape, record), 'base64url').slice(0, 22)
}
