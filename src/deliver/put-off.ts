import { type DailyTime, nextDaily } from '../model/daily-time.ts'
import { quietAt } from '../model/quiet-hours.ts'
import type { ChannelSettings } from '../model/subscription.ts'
import type { ChannelContext } from './channels/channel.ts'
import { zoneFor } from './channels/message-renderer.ts'

/** An event that rang. */
export interface Rung {
  readonly account: string | null
  readonly rangAt: number
}

/**
 * The hour of the digest, or the end of the quiet hours, that an event waits for which a channel is to tell; null: it goes as it comes. This is
 * what the batches of a channel (`digestPolicy`, `quietPolicy`) come to where nothing fails; a test holds them to it.
 */
export function putOffUntil(
  channel: ChannelSettings,
  { account, rangAt }: Rung,
  zoneOf: ChannelContext['zoneOf'],
): number | null {
  if ('digest' in channel && channel.digest !== null) return nextDaily(rangAt, channel.digest)
  if (!('quiet' in channel) || channel.quiet === null) return null
  return quietAt(rangAt, channel.quiet, zoneFor(channel, account, zoneOf))?.until ?? null
}

const MINUTE_MS = 60_000

/**
 * `putOffUntil` of one channel for many events: until a digest goes, all wait for it; hours and clocks change at whole minutes, so within one they
 * are asked once.
 */
export class PutOff {
  readonly #channel: ChannelSettings
  readonly #zoneOf: ChannelContext['zoneOf']
  readonly #last = new Map<string | null, { readonly minute: number; readonly until: number | null }>()
  #digest = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }

  constructor(channel: ChannelSettings, zoneOf: ChannelContext['zoneOf']) {
    this.#channel = channel
    this.#zoneOf = zoneOf
  }

  until(rung: Rung): number | null {
    const digest = 'digest' in this.#channel ? this.#channel.digest : null
    return digest === null ? this.#untilInMinute(rung) : this.#digestAfter(rung.rangAt, digest)
  }

  #digestAfter(rangAt: number, digest: DailyTime): number {
    const { from, until } = this.#digest
    if (rangAt < from || rangAt >= until) this.#digest = { from: rangAt, until: nextDaily(rangAt, digest) }
    return this.#digest.until
  }

  #untilInMinute(rung: Rung): number | null {
    const minute = Math.floor(rung.rangAt / MINUTE_MS)
    const last = this.#last.get(rung.account)
    if (last?.minute === minute) return last.until
    const until = putOffUntil(this.#channel, rung, this.#zoneOf)
    this.#last.set(rung.account, { minute, until })
    return until
  }
}
