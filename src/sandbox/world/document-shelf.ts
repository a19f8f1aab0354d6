import { fileDocuments } from '../life/file-documents.ts'
import { renderDocument } from '../render/render-document.ts'
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
