import type { Clock } from '../clock.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { Logger } from '../log.ts'
import type { EventLink } from '../model/event-link.ts'
import type { ShipbellEvent } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { WorkProgress } from '../plan/work-progress.ts'
import type { DeliveryStore } from '../store/ports/delivery-port.ts'
import type { LivingSource } from './channels/channel.ts'
import type { EndpointWatch } from './endpoint-watch.ts'
import type { OwnRoomDeps } from './own-room.ts'

/** What a deliverer takes from its surroundings. */
export interface DelivererDeps extends OwnRoomDeps {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly log: Logger
  /** Jitter, in [0, 1). */
  readonly random: () => number
  /** Names this process in its claims. Another name only while nothing is under way. */
  readonly owner: () => string
  /** Whether anything may be sent: asked before each attempt. Left out: always. */
  readonly maySend?: () => boolean
  /** How many processes send what is due, this one among them. Left out: this one alone. */
  readonly processes?: () => number
  /** The current ones; a reload may answer with another list. */
  readonly subscriptions: () => readonly Subscription[]
  /** The current ones, likewise. */
  readonly settings: () => { readonly allowNetworks: readonly string[]; readonly retryMs: readonly number[] }
  readonly version: string
  /** Configured secrets beyond the subscriptions' own, which kept answers are redacted of. */
  readonly secrets?: () => readonly string[]
  /** Told of the rows whose outcomes the store has; must return at once. Left out: nobody is. */
  readonly onSettled?: (ids: readonly string[]) => void
  /** Rings the events of endpoints; left out: none ring. */
  readonly watch?: EndpointWatch
  /** Where people read more about an event, as configured now; left out: nowhere. */
  readonly links?: (event: ShipbellEvent) => readonly EventLink[]
  /** Messages that are kept up to date; left out: none is. */
  readonly living?: LivingSource
  /** The time zone of an account; null where there is none of this name. */
  readonly zoneOf?: (account: string | null) => string | null
  /** When a person asked last for rows of each subscription, so that its endpoint is tried at once; left out: nobody does. */
  readonly askedProbes?: () => Promise<ReadonlyMap<string, number>>
  /** Default: the process's. */
  readonly resolve?: Resolve
  readonly telemetry?: Pick<Telemetry, 'attempted'>
  /** The progress that notes whether rounds of the deliverer come through in the store; left out: nobody does. */
  readonly progress?: WorkProgress
}
