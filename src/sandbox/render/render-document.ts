import type { JsonObject } from '../../model/json.ts'
import type { DocumentLife } from '../life/file-documents.ts'
import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'
import { dayText } from './date-text.ts'

const DAY = 86_400_000

/** A document at a moment, from its upload on. The link is not signed yet. */
export function renderDocument(life: Life, document: DocumentLife, time: number): JsonObject {
  return {
    id: document.id,
    name: document.name,
    type: valueAt(document.type, time) ?? null,
    platform_shipment_id: life.brief.id,
    link: `https://files.sandbox.example/${document.id}/${document.name}`,
    size: document.size,
    uploaded_at: dayText(Math.floor(document.at / DAY)),
  }
}
