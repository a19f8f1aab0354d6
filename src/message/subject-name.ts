import { asText, field, textField, type Json } from '../model/json.ts'
import { cut } from './words/short.ts'

const LONGEST = 120

/** What people call the subject of a payload: a shipment by its name and id, a document by its file name. */
export function subjectName(payload: Json): string {
  const subject = field(payload, 'subject')
  const id = textField(subject, 'id') ?? '–'
  const data = field(payload, 'data')
  const object = field(data, 'object')
  switch (textField(subject, 'resource') ?? '') {
    case 'shipment':
    case 'tracking':
      return named(textField(field(data, 'shipment'), 'name'), id)
    case 'document':
      return named(textField(object, 'name'), id)
    case 'location':
      return named(textField(object, 'name') ?? textField(object, 'company_name') ?? asText(field(object, 'city')), id)
    case 'invoice':
      return named(textField(object, 'number'), id)
    default:
      return cut(id, LONGEST)
  }
}

function named(name: string | null, id: string): string {
  return name === null || name === id ? cut(id, LONGEST) : `${cut(name, LONGEST)} (${cut(id, LONGEST)})`
}
