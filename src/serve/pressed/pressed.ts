import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { ACKNOWLEDGE_ACTION, BLOCK_OF, type LivingPlace } from '../../model/living-message.ts'

/** Somebody in Slack sees to what is open of a shipment. */
export interface Pressed {
  readonly place: LivingPlace
  /** What Slack calls the person. */
  readonly user: string
}

const USER = /^[A-Za-z0-9_-]{1,64}$/

/** What was pressed, by the payload of an interaction; null: nothing that is answered, such as a link. */
export function pressedIn(payload: Json): Pressed | null {
  const user = textField(field(payload, 'user'), 'id') ?? ''
  const actions = field(payload, 'actions')
  const action = isJsonArray(actions)
    ? actions.find((each) => textField(each, 'action_id') === ACKNOWLEDGE_ACTION)
    : undefined
  if (action === undefined || !USER.test(user)) return null
  const place = placeIn(textField(action, 'value')) ?? placeOf(payload, textField(action, 'block_id') ?? '')
  return place === null ? null : { place, user }
}

/** The place that a button carries. */
function placeIn(value: string | null): LivingPlace | null {
  try {
    const json: Json = JSON.parse(value ?? 'null')
    return whole(textField(json, 'subscription'), json)
  } catch {
    return null
  }
}

/** The place that the message of a button carries, where the button does not. */
function placeOf(payload: Json, block: string): LivingPlace | null {
  const metadata = field(field(payload, 'message'), 'metadata')
  const subscription = block.startsWith(BLOCK_OF) ? block.slice(BLOCK_OF.length) : null
  return whole(subscription, field(metadata, 'event_payload') ?? null)
}

function whole(subscription: string | null, json: Json): LivingPlace | null {
  const [account, shipment] = [textField(json, 'account'), textField(json, 'shipment')]
  return subscription === null || account === null || shipment === null ? null : { subscription, account, shipment }
}
