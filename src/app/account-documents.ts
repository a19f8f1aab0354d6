import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { Deadline } from '../http/deadline.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { AccountSettings } from '../model/account.ts'
import type { DocumentContent } from '../model/document-content.ts'
import { documentContent } from '../platform/document-content.ts'
import type { Admit } from '../platform/document-file.ts'
import type { Platform } from '../platform/platform.ts'
import type { AccountClient, Tenancy } from '../poll/requests/account-client.ts'
import { askAside } from '../poll/requests/ask-aside.ts'
import { FewAtOnce } from '../poll/requests/few-at-once.ts'
import { readVersion } from '../version.ts'

const AT_ONCE = 2
/** How long a document waits for its turn, beside the time that its requests take. */
const TURN_MS = 30_000

export interface AccountDocumentsOptions {
  readonly account: AccountSettings
  readonly platform: Pick<Platform, 'item'>
  readonly client: Pick<AccountClient, 'request'>
  /** The account at the limiter of its key. */
  readonly tenancy: Tenancy
  readonly clock: Clock
  readonly resolve?: Resolve | undefined
  readonly live: Pick<LiveConfig, 'config'>
}

/** The files of an account's documents: few at once, and each request behind all that polling needs. */
export class AccountDocuments {
  readonly #options: AccountDocumentsOptions
  readonly #places = new FewAtOnce(AT_ONCE)

  constructor(options: AccountDocumentsOptions) {
    this.#options = options
  }

  async content(id: string, signal: AbortSignal): Promise<DocumentContent> {
    const { account, clock } = this.#options
    using patience = new Deadline({ clock, timeoutMs: TURN_MS + 2 * account.timeoutMs, signal })
    const cut = patience.signal
    try {
      return await this.#places.run(async () => this.#fetch(id, cut), cut)
    } catch (error) {
      if (patience.reached !== 'timeout') throw error
      return { kind: 'late', reason: `The budget of the account ${account.name} left no request for it in time.` }
    }
  }

  async #fetch(id: string, signal: AbortSignal): Promise<DocumentContent> {
    const { account, client, clock, live, platform, resolve, tenancy } = this.#options
    const how = { of: 'item', blame: 'item', priority: 'spare', signal } as const
    const item = async () => client.request(async () => platform.item('document', id, signal), how)
    const admit: Admit = async (send) => askAside(tenancy, send, signal)
    const userAgent = `shipbell/${readVersion()}`
    return documentContent({
      id,
      item,
      admit,
      account,
      allowNetworks: live.config.delivery.allowNetworks,
      clock,
      resolve,
      userAgent,
      signal,
    })
  }
}
