import type { JsonObject } from './json.ts'
import type { Reader } from './reader.ts'

/** An operator's template of a message, ready for use. Two of the same file and text are the same template. */
export interface MessageTemplate {
  /** The file of the template, as configured. */
  readonly file: string
  readonly source: string
  /**
   * The text for one event, from what templates see of it; what is not there is empty. Ends soon; throws where a bound is
   * passed or a value cannot be used.
   */
  render(view: JsonObject, reader: Reader): string
}

/** By event type; a type without one gets the built-in message. */
export type MessageTemplates = ReadonlyMap<string, MessageTemplate>

/** A template that could not render an event. The built-in message was sent instead. */
export interface TemplateFailure {
  readonly template: MessageTemplate
  /** The event's. */
  readonly type: string
  /** `ops.liquid:3:12: it goes over more than a message may: limit exceeded` */
  readonly reason: string
  /** A bound was passed: the next event would take as long. */
  readonly bound: boolean
}
