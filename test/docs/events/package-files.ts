import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../../../src/model/event-catalogue.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { schemaFiles } from '../../../src/model/payload-schema/event-documents.ts'
import { payloadTypes } from './typescript.ts'
import { zodSchemas } from './zod.ts'

const FOLDER = 'src/events'

/** The files of the receivers' package that come from the definitions of the payloads, by name. */
export function packageFiles(): readonly (readonly [string, string])[] {
  const schemas = [...schemaFiles()].map(([name, schema]) => [`schemas/${name}`, JSON.stringify(schema)] as const)
  const examples = EVENT_CATALOGUE.map(
    ({ type }) => [`examples/${type}.json`, example(payloadBody(sampleEvent(type)))] as const,
  )
  const files = [['types.d.ts', payloadTypes()], ['zod.js', zodSchemas()], ...schemas, ...examples] as const
  return files.map(([name, text]) => [`${FOLDER}/${name}`, text.endsWith('\n') ? text : `${text}\n`])
}

function example(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
