import type { EventType } from '../model/event-catalogue.ts'
import type { JsonObject } from '../model/json.ts'
import type { Subscription } from '../model/subscription.ts'
import { mayPass } from '../route/filter/may-pass.ts'
import { snapshotTypes } from '../route/snapshot-run.ts'
import { samplePayload } from '../samples/sample-payload.ts'
import { nodeAt, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { problemAt, type Problem } from './problem.ts'

/** Subscriptions that ask for every known record and are sent none: `events` names no records, or `where` lets none of them pass. */
export function startWarnings({ subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const inVain = subscriptions.flatMap((subscription) => {
    const key = subscription.start === 'snapshot' ? keyInVain(subscription) : null
    return key === null ? [] : [{ key, node: nodeAt(root, ['subscriptions', subscription.name, key]) }]
  })
  return [...new Map(inVain.map((each) => [each.node, each.key]))].map(([node, key]) =>
    problemAt(node.at, SENTENCES[key], 'warning'),
  )
}

const SENTENCES = {
  events: '`start: snapshot` sends nothing, because `events` names no events of records, such as `shipment.*`',
  where:
    '`start: snapshot` sends nothing, because no snapshot can pass `where`: let them pass by `cause == "snapshot" || …`',
} as const

function keyInVain(subscription: Subscription): keyof typeof SENTENCES | null {
  const { filter } = subscription
  const types = snapshotTypes(subscription)
  if (types.length === 0) return 'events'
  if (filter === null) return null
  return types.some((type) => mayPass(filter.expression, sampleOf(type))) ? null : 'where'
}

const SAMPLES = new Map<string, JsonObject>()

function sampleOf(type: EventType): JsonObject {
  const sample = SAMPLES.get(type) ?? samplePayload(type)
  SAMPLES.set(type, sample)
  return sample
}
