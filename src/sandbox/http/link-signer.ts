import { createHash } from 'node:crypto'
import { textField, type JsonObject } from '../../model/json.ts'
import { formatInstant } from '../../model/instant.ts'

const VALID_MS = 15 * 60_000

/** Signs the `link` of a document for some minutes; never twice alike, so that a link that changes is seen to be no news. */
export function linkSigner(): (document: JsonObject, time: number) => JsonObject {
  let signed = 0
  return (document, time) => {
    const link = textField(document, 'link')
    if (link === null) return document
    signed += 1
    const expires = formatInstant(time + VALID_MS)
    const signature = createHash('sha256').update(`${signed} ${link} ${expires}`).digest('hex').slice(0, 32)
    return { ...document, link: `${link}?X-Expires=${expires}&X-Signature=${signature}` }
  }
}
