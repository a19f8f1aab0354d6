import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../date-text.ts'
import { fileDocuments, type DocumentLife } from '../life/file-documents.ts'
import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'
import { fleetShelf } from './fleet-shelf.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Documents by the moment of their upload, over all shipments. */
export function documentShelf(fleet: Fleet): Shelf {
  return fleetShelf({
    fleet,
    leadMs: 0,
    thingsOf: (life) => fileDocuments(life).map((document) => ({ id: document.id, at: document.at, life, document })),
    render: ({ life, document }, time) => renderDocument(life, document, time),
  })
}

const DAY = 86_400_000

/** A document at a moment, from its upload on. The link is a path, and not signed yet. */
function renderDocument(life: Life, document: DocumentLife, time: number): JsonObject {
  return {
    id: document.id,
    name: document.name,
    type: valueAt(document.type, time) ?? null,
    platform_shipment_id: life.brief.id,
    link: `/files/${encodeURIComponent(document.id)}/${encodeURIComponent(document.name)}`,
    size: document.size,
    uploaded_at: dayText(Math.floor(document.at / DAY)),
  }
}
