import { Service } from '../app.ts'
import { LiveConfig } from '../config/live-config.ts'
import { requireConfig } from '../config/load-config.ts'
import { createLogger } from '../log.ts'
import type { Delivery } from '../model/delivery.ts'
import { ledgerRows } from '../operate/ledger-rows.ts'
import type { SendProgress } from '../operate/await-outcome.ts'
import type { Surroundings } from '../operate/open-configured-store.ts'
import type { Store } from '../store/ports/store.ts'

/** Few enough that naming them in every claim costs nothing beside sending them. */
const AT_ONCE = 500

/** Rows that are made and sent. */
export interface SentHere {
  readonly file: string
  readonly surroundings: Surroundings
  /** What holds the store's lock meanwhile, for whoever is refused. */
  readonly command: string
  /** Makes the rows, after everything that is needed to send them was found; resolves to their ids, oldest event first. */
  readonly prepare: (store: Store, daemon: boolean) => Promise<readonly string[]>
  readonly onProgress?: (progress: SendProgress) => void
}

/** Takes the store's lock, makes rows, and sends them, one attempt each. Resolves to the rows. */
export async function sendHere(sending: SentHere): Promise<readonly Delivery[]> {
  const { file, surroundings, command, prepare, onProgress } = sending
  const { clock, signal } = surroundings
  const config = requireConfig(file, surroundings)
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const quiet = { log, random: Math.random, progress: () => undefined }
  await using service = await Service.open({ ...quiet, live: new LiveConfig(config), clock, command })
  const ids = await prepare(service.store, false)
  for (let done = 0; done < ids.length && !signal.aborted; done += AT_ONCE) {
    await service.deliver(signal, ids.slice(done, done + AT_ONCE))
    onProgress?.({ done: Math.min(done + AT_ONCE, ids.length), total: ids.length })
  }
  return await ledgerRows(service.store, ids)
}
