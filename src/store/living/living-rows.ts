import { asText, isJsonArray, type Json } from '../../model/json.ts'
import type { LivingMessage } from '../../model/living-message.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

export type LivingRow = RowOf<typeof TABLES.living_messages>

export const FIND = `
  SELECT ${TABLES.living_messages.selected()} FROM living_messages
  WHERE subscription = :subscription AND account = :account AND shipment = :shipment`

export const SAVE = TABLES.living_messages.upsert

export function livingRow({ beganWith, shown, ...message }: LivingMessage): LivingRow {
  return { ...message, beganWith: JSON.stringify(beganWith), shown: JSON.stringify(shown) }
}

export function toLiving({ beganWith, shown, ...row }: LivingRow): LivingMessage {
  return { ...row, beganWith: idsOf(beganWith), shown: idsOf(shown) }
}

function idsOf(text: string): readonly string[] {
  const ids: Json = JSON.parse(text)
  return isJsonArray(ids) ? ids.flatMap((id) => asText(id) ?? []) : []
}
