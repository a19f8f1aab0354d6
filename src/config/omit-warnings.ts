import type { EventType } from '../model/event-catalogue.ts'
import type { ShipbellEvent } from '../model/event.ts'
import { isJsonObject, type JsonObject } from '../model/json.ts'
import { splitOmitted, withoutOmitted } from '../model/omit.ts'
import { fullPayload } from '../model/payload.ts'
import { formatPointer } from '../model/pointer.ts'
import { typesSent } from '../route/snapshot-run.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { isLiteral, nodeAt, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/**
 * Pointers of `omit` that no sample of what their subscription hears has: what was meant to be left out would be sent. Platforms have
 * fields of their own, so it is a warning.
 */
export function omitWarnings({ subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const samples = new Samples()
  const omitted = subscriptions.flatMap((subscription) =>
    (subscription.channel.omit ?? []).map((pointer, place) => ({
      node: nodeAt(root, ['subscriptions', subscription.name, 'omit', place]),
      pointer,
      types: typesSent(subscription),
    })),
  )
  return [...Map.groupBy(omitted, ({ node }) => node)].flatMap(([node, takers]) => {
    const [first] = takers
    const types = [...new Set(takers.flatMap((each) => each.types))]
    if (first === undefined || samples.have(first.pointer, types)) return []
    const sentence = isLiteral(node)
      ? `no event of this subscription has ${quoted(first.pointer)}${hint(first.pointer, samples.fieldsOf(types))}`
      : '`omit` names what no event of this subscription has; the value of a variable in it is not shown'
    return [problemAt(node.at, sentence, 'warning')]
  })
}

function hint(written: string, fields: readonly string[]): string {
  const { pointer, resource } = splitOmitted(written)
  const nearest = nearestName(pointer, fields)
  if (nearest === undefined || nearest === pointer) return ', so it leaves nothing out unless your platform adds it'
  return `: did you mean ${quoted(resource === null ? nearest : `${resource}:${nearest}`)}?`
}

interface Sample {
  readonly event: ShipbellEvent
  readonly text: string
}

/** Samples are derived event by event, and many customers leave out the same. */
class Samples {
  readonly #samples = new Map<EventType, Sample>()
  readonly #known = new Map<string, boolean>()

  /** Whether a sample of one of these types has what a pointer leaves out. */
  have(pointer: string, types: readonly EventType[]): boolean {
    const key = JSON.stringify([pointer, types])
    const has = this.#known.get(key) ?? types.some((type) => this.#has(pointer, this.#of(type)))
    this.#known.set(key, has)
    return has
  }

  /** Pointers to the fields of the records that are shown. */
  fieldsOf(types: readonly EventType[]): readonly string[] {
    return [...new Set(types.flatMap((type) => pointersIn(this.#of(type).event.object)))]
  }

  #has(pointer: string, { event, text }: Sample): boolean {
    return textOf(withoutOmitted(event, [pointer])) !== text
  }

  #of(type: EventType): Sample {
    const known = this.#samples.get(type)
    if (known !== undefined) return known
    const event = sampleEvent(type)
    const sample = { event, text: textOf(event) }
    this.#samples.set(type, sample)
    return sample
  }
}

function textOf(event: ShipbellEvent): string {
  return JSON.stringify(fullPayload(event))
}

const DEEPEST = 2

/** Pointers to the fields of a record, and to those of its parts. */
function pointersIn(record: JsonObject | null, depth = 1): readonly string[] {
  return Object.entries(record ?? {}).flatMap(([name, value]) => {
    const own = formatPointer([name])
    const inner = depth < DEEPEST && isJsonObject(value) ? pointersIn(value, depth + 1) : []
    return [own, ...inner.map((each) => `${own}${each}`)]
  })
}
