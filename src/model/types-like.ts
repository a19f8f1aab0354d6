import { EVENT_CATALOGUE } from './event-catalogue.ts'

/** The event types that a glob names; `*` stands for any text, so that it reaches every type, unlike in a subscription. */
export function typesLike(glob: string): readonly string[] {
  const pattern = new RegExp(`^${glob.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*')}$`)
  return EVENT_CATALOGUE.map(({ type }) => type).filter((type) => pattern.test(type))
}

/** The form of an event type, and of a glob of some. */
export const EVENT_GLOB = /^[a-z_*]{1,64}(?:\.[a-z_*]{1,64})?$/
