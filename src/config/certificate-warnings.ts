import type { ChannelKind, ChannelSettings, Subscription, TlsSettings } from '../model/subscription.ts'
import { formatInstant } from '../model/instant.ts'
import { readCertificates } from './certificates.ts'
import { rulesOf } from './channel-kinds.ts'
import { nodeAt, type ConfigNode } from './config-node.ts'
import { problemAt, type Problem } from './problem.ts'

/** Certificates that are out of date now. They leave a configuration valid: a restart must not fail at midnight. */
export function certificateWarnings(
  subscriptions: readonly Subscription[],
  root: ConfigNode,
  now: number,
): readonly Problem[] {
  return subscriptions.flatMap(({ name, channel }) =>
    (['ca', 'cert'] as const).flatMap((key) => {
      const place = nodeAt(root, ['subscriptions', name, 'tls', key])
      const tls = tlsOf(channel)
      return outOfDate(tls?.[key] ?? '', now).map((reason) =>
        problemAt(place.at, `\`${key}\` holds a certificate that ${reason}`, 'warning'),
      )
    }),
  )
}

function tlsOf<K extends ChannelKind>(channel: ChannelSettings<K>): TlsSettings | null {
  return rulesOf(channel).tls?.(channel) ?? null
}

function outOfDate(pem: string, now: number): readonly string[] {
  return readCertificates(pem).flatMap(({ validFromDate, validToDate }) => {
    if (validToDate.getTime() < now) return [`expired on ${day(validToDate)}: have it renewed`]
    return validFromDate.getTime() > now ? [`is not valid before ${day(validFromDate)}`] : []
  })
}

function day(date: Date): string {
  return formatInstant(date.getTime()).slice(0, 10)
}
