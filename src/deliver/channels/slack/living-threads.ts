import { isJsonArray, field, textField, type Json } from '../../../model/json.ts'
import { BLOCK_OF, type LivingMessage, type LivingPlace } from '../../../model/living-message.ts'
import type { SlackApp, SlackChannel } from '../../../model/subscription.ts'
import type { ClaimedDelivery } from '../../../store/ports/delivery-port.ts'
import type { Batch } from '../../batches.ts'
import type { ChannelContext, LivingSource, SendOutcome } from '../channel.ts'
import { messageRenderer, type RenderMessage } from '../message-renderer.ts'
import { burstMessage } from './burst-message.ts'
import { entryMessage, livingMessage, type ManyOfOne } from './living-message.ts'
import { eventMessage } from './event-message.ts'
import { openAmong } from '../chat/open-among.ts'
import type { FoundMessage } from './slack-api.ts'
import { Unsent, type SlackCalls } from './slack-calls.ts'
import { idsOf, newestOf, type Told } from './told-together.ts'

/** The kinds of `metadata` by which messages are found again. */
const OF_SHIPMENT = 'shipbell_shipment'
const OF_ENTRY = 'shipbell_entry'
/** The kind of messages of their own, which stay as they are. */
const OF_EVENTS = 'shipbell_events'

interface ThreadsOptions {
  readonly calls: SlackCalls
  readonly channel: SlackChannel
  readonly app: SlackApp
  readonly context: ChannelContext
}

/** The messages of shipments in one channel, and what is told in their threads, during one attempt. */
export class LivingThreads {
  readonly #options: ThreadsOptions
  readonly #render: RenderMessage

  constructor(options: ThreadsOptions) {
    this.#options = options
    this.#render = messageRenderer(options.channel, options.context)
  }

  /** Tells some deliveries where they belong. Throws `Unsent`. */
  async tell({ batch, place }: Told): Promise<SendOutcome> {
    const { living } = this.#options.context
    if (place === null || living === undefined) return await this.#tellApart(batch)
    const known = await this.#known(place, living)
    if (known?.ts == null) return await this.#begin(batch, place, living)
    return await this.#goOn(batch, { ...known, ts: known.ts }, living)
  }

  /** Shows a message as it stands now, where it is there. Throws where that was not done. */
  async refresh(known: LivingMessage, events: ManyOfOne): Promise<void> {
    const { living } = this.#options.context
    if (living === undefined || known.ts === null) return
    const written = await this.#update({ ...known, ts: known.ts }, events, living)
    if ('failed' in written && written.failed.kind === 'failed') throw new Error(written.failed.error)
  }

  /** What is known of the message of a shipment, found again where the answer was lost; null: it has none in this channel. */
  async #known(place: LivingPlace, living: LivingSource): Promise<LivingMessage | null> {
    const known = await living.livingMessage(place)
    if (known === null || known.channel !== this.#options.app.channel) return null
    const { channel, postedAt: since } = known
    if (known.ts !== null || since === null) return known
    const found = await this.#options.calls.find({ channel, since }, (message) => isOf(message, place))
    if (found === null) return known
    const again = { ...known, ts: found.ts, postedAt: null }
    await living.saveLivingMessage(again)
    return again
  }

  /** The first entry of a shipment is its message. That it is posted is noted before: so it is looked for where the answer is lost. */
  async #begin(batch: Batch, place: LivingPlace, living: LivingSource): Promise<SendOutcome> {
    const { app, calls, context } = this.#options
    const now = context.clock.now()
    const ids = idsOf(batch)
    const told = { beganWith: ids, shown: ids, sequence: newestOf(batch), entry: null, toldAt: now }
    const begun: LivingMessage = { ...place, ...told, channel: app.channel, ts: null, postedAt: now }
    await living.saveLivingMessage(begun)
    const message = await this.#messageOf(place, eventsOf(batch), living)
    const written = await calls.write('chat.postMessage', message)
    if ('delivered' in written) {
      await living.saveLivingMessage({ ...begun, ts: written.ts, postedAt: written.ts === null ? now : null })
      return written.delivered
    }
    if (written.kind !== 'unknown') await living.saveLivingMessage({ ...begun, postedAt: null })
    throw new Unsent(written.failed)
  }

  /** A further entry: the message shows it, unless it shows a newer one, and the thread has it. */
  async #goOn(batch: Batch, known: Shown, living: LivingSource): Promise<SendOutcome> {
    const fresh = batch.filter(({ event }) => !known.beganWith.includes(event.id))
    if (!isBatch(fresh)) return ALREADY_TOLD
    const left = await this.#untold(fresh, known)
    const isNewer = newestOf(fresh) >= known.sequence && newestOf(fresh) > 0
    const shows = isNewer ? { shown: idsOf(fresh), sequence: newestOf(fresh) } : {}
    const next = { ...known, ...shows, toldAt: this.#options.context.clock.now() }
    await living.saveLivingMessage(next)
    const updated = isNewer ? await this.#update(next, eventsOf(fresh), living) : null
    if (updated !== null && !('delivered' in updated)) {
      if (updated.kind === 'gone') return await this.#begin(fresh, next, living)
      throw new Unsent(updated.failed)
    }
    if (!isBatch(left)) return updated?.delivered ?? ALREADY_TOLD
    return await this.#add(left, next, living)
  }

  /** Adds an entry to a thread. That it is posted is noted before, as for the message itself. */
  async #add(left: Batch, known: Shown, living: LivingSource): Promise<SendOutcome> {
    const next = { ...known, entry: left[0].event.id }
    await living.saveLivingMessage(next)
    const written = await this.#reply(left, known.ts)
    if ('delivered' in written) return written.delivered
    if (written.kind === 'refused') await living.saveLivingMessage({ ...next, entry: null })
    if (written.kind === 'gone') return await this.#begin(left, next, living)
    throw new Unsent(written.kind === 'unknown' ? lookedFor(written.failed, left) : written.failed)
  }

  /** What of some deliveries the thread has not got: it is asked where an attempt to tell them was begun before. */
  async #untold(batch: Batch, { channel, entry, ts }: Shown): Promise<readonly ClaimedDelivery[]> {
    const [first] = batch
    if (entry !== first.event.id && !batch.some(isLookedFor)) return batch
    const since = Math.min(...batch.map(({ rangAt }) => rangAt))
    const told = new Set<string>()
    await this.#options.calls.find({ channel, ts, since }, ({ metadata }) => {
      for (const id of entryOf(metadata)) told.add(id)
      return batch.every(({ event }) => told.has(event.id))
    })
    return batch.filter(({ event }) => !told.has(event.id))
  }

  async #reply(batch: Batch, ts: string): ReturnType<SlackCalls['write']> {
    const { app, calls } = this.#options
    const metadata = metadataOf(OF_ENTRY, { events: idsOf(batch).join(' ') })
    const message = { ...entryMessage(eventsOf(batch), this.#render), channel: app.channel, thread_ts: ts, metadata }
    return await calls.write('chat.postMessage', message)
  }

  async #update(known: Shown, events: ManyOfOne, living: LivingSource): ReturnType<SlackCalls['write']> {
    const message = await this.#messageOf(known, events, living)
    return await this.#options.calls.write('chat.update', { ...message, channel: known.channel, ts: known.ts })
  }

  async #messageOf({ account, shipment, subscription }: LivingPlace, events: ManyOfOne, living: LivingSource) {
    const { app, context } = this.#options
    const place = { subscription, account, shipment }
    const now = context.clock.now()
    const exceptions = app.signingSecret === null ? null : await openAmong(living, { account, shipment, events, now })
    const standing = { place, exceptions, now }
    const metadata = metadataOf(OF_SHIPMENT, { account, shipment })
    return { ...livingMessage(events, this.#render, standing), channel: app.channel, metadata }
  }

  /** What belongs to no shipment, and tests: messages that stay as they are. */
  async #tellApart(batch: Batch): Promise<SendOutcome> {
    const { app, calls } = this.#options
    const [first, ...more] = eventsOf(batch)
    if (batch.some(isLookedFor)) {
      const since = Math.min(...batch.map(({ rangAt }) => rangAt))
      const found = await calls.find({ channel: app.channel, since }, ({ metadata }) =>
        entryOf(metadata, OF_EVENTS).includes(first.id),
      )
      if (found !== null) return ALREADY_TOLD
    }
    const body = more.length === 0 ? eventMessage(first, this.#render) : burstMessage([first, ...more], this.#render)
    const metadata = metadataOf(OF_EVENTS, { events: idsOf(batch).join(' ') })
    const written = await calls.write('chat.postMessage', { ...body, channel: app.channel, metadata })
    if ('delivered' in written) return written.delivered
    throw new Unsent(written.kind === 'unknown' ? lookedFor(written.failed, batch) : written.failed)
  }
}

/** A message that is there. */
type Shown = LivingMessage & { readonly ts: string }

const ALREADY_TOLD: SendOutcome = { kind: 'delivered', status: 200, answer: 'It was there already.' }

function metadataOf(type: string, payload: Readonly<Record<string, string>>) {
  return { event_type: type, event_payload: payload }
}

/** Whether a message is that of a shipment: blocks may say that it is another subscription's. */
function isOf({ blocks, metadata }: FoundMessage, { account, shipment, subscription }: LivingPlace): boolean {
  const payload = field(metadata, 'event_payload')
  if (textField(metadata, 'event_type') !== OF_SHIPMENT) return false
  if (textField(payload, 'account') !== account || textField(payload, 'shipment') !== shipment) return false
  const names = isJsonArray(blocks) ? blocks.flatMap((block) => textField(block, 'block_id') ?? []) : []
  return names.every((name) => !name.startsWith(BLOCK_OF) || name === `${BLOCK_OF}${subscription}`)
}

/** The events that a message tells, by its metadata. */
function entryOf(metadata: Json, type = OF_ENTRY): readonly string[] {
  if (textField(metadata, 'event_type') !== type) return []
  return (textField(field(metadata, 'event_payload'), 'events') ?? '').split(' ')
}

/** The next attempt has to look whether these deliveries are told already. */
function lookedFor(outcome: SendOutcome, batch: Batch): SendOutcome {
  return outcome.kind === 'cut' ? outcome : { ...outcome, progress: JSON.stringify(idsOf(batch)) }
}

function isLookedFor({ event, progress }: ClaimedDelivery): boolean {
  return progress?.includes(JSON.stringify(event.id)) === true
}

function isBatch(deliveries: readonly ClaimedDelivery[]): deliveries is Batch {
  return deliveries.length > 0
}

function eventsOf([{ event }, ...more]: Batch): ManyOfOne {
  return [event, ...more.map((each) => each.event)]
}
