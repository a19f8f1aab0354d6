import type { z } from 'zod'
import type { EventOf, EventType, ShipbellEvent } from './types.js'

/** A schema for each type of event. */
export declare const eventSchemas: { readonly [T in EventType]: z.ZodType<EventOf<T>> }

/** Every event: of the types in `eventSchemas`, or of one that is newer than this package. */
export declare const shipbellEvent: z.ZodType<ShipbellEvent>
