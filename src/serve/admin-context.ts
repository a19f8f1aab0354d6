import type { ArrivalStore } from '../store/ports/arrival-port.ts'
import type { Clock } from '../clock.ts'
import type { Acknowledgement, KeptException } from '../model/exception.ts'
import type { ExceptionStore } from '../store/ports/exception-port.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { DocumentContent } from '../model/document-content.ts'
import type { HeldList, HoldVerdict, NamedHold } from '../model/hold.ts'
import type { NarrowerToken, Scope } from '../model/scope.ts'
import type { Subscription } from '../model/subscription.ts'
import type { RecordResource } from '../model/resource.ts'
import type { AccountDue } from '../report/due-invoices.ts'
import type { RecentEvents } from '../report/recent-events.ts'
import type { Freshness } from '../report/freshness.ts'
import type { AccountPlan } from '../report/plan.ts'
import type { SentTest } from '../report/tested-delivery.ts'
import type { Status } from '../report/status.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'
import type { DeliveryQuery, LogQueryStore } from '../store/ports/log-query-port.ts'
import type { AccountOverview, QueryStore } from '../store/ports/query-port.ts'
import type { FeedStore } from '../store/ports/feed-port.ts'
import type { LogStore } from '../store/ports/log-port.ts'
import type { RecordStore } from '../store/ports/record-port.ts'
import type { RecordQueryStore } from '../store/ports/record-query-port.ts'
import type { SnapshotStore } from '../store/ports/snapshot-port.ts'
import type { Notice } from './pages/notice.ts'
import type { Readiness } from './readiness.ts'
import type { Pressed } from './pressed/pressed.ts'
import type { RuntimeActions } from './runtime-actions.ts'
import type { ChangeFeed } from './stream/change-feed.ts'

/** What API and pages read. */
export type DeskStore = QueryStore &
  LogQueryStore &
  Omit<RecordQueryStore, 'dueTotals'> &
  ArrivalStore &
  Pick<ExceptionStore, 'exceptionPage'> &
  Pick<FeedStore, 'feedPart'> &
  Pick<SnapshotStore, 'snapshotRuns'> &
  Pick<RecordStore, 'records'>

/** What the admin interface is given by the service: what it may read, and what it may do. */
export interface AdminContext {
  readonly clock: Clock
  readonly log: Logger
  readonly version: string
  readonly store: DeskStore & Pick<LogStore, 'logPage'>
  /** Who may look, as configured now: a reload changes it. */
  readonly access: () => AccessSettings
  /** What the demo adds; null: this is none. */
  readonly demo: DemoFacts | null
  readonly accounts: () => readonly AccountSettings[]
  readonly subscriptions: () => readonly Subscription[]
  /** The JSON Schema of the configuration. */
  readonly configSchema: () => object
  /** Whether subscriptions may be made at run time. */
  readonly takesSubscriptions: () => boolean
  /** The hosts that the file names for subscriptions made at run time; empty: it names none, or allows no such subscriptions. */
  readonly callbackHosts: () => readonly string[]
  readonly readiness: () => Promise<Readiness>
  /** How many requests an account's key lets go now; null where it is not polled. */
  readonly budgetLeft: (account: string) => number | null
  /** The file of a document of an account, fetched in its turn. */
  readonly document: (account: string, id: string, signal: AbortSignal) => Promise<DocumentContent>
  readonly reports: AdminReports
  /** Keeps which sessions were signed out, here or at another worker. */
  readonly sessions: Pick<AdminStore, 'endSession' | 'endedSessions'>
  /** Each that is done is logged as `admin.acted`, with who did it. */
  readonly actionsOf: (asker: Asker) => AdminActions
  /** Acknowledges what is open of a shipment for somebody in Slack, and shows it in its message. */
  readonly pressed: (pressed: Pressed) => Promise<void>
  /** The text of the metrics; null: there are none. */
  readonly metrics: (() => Promise<MetricsText>) | null
  /** Makes pages and lists elsewhere; null: they are made here. */
  readonly reader: PageReader | null
  /** What this process changes in the store, as it does. */
  readonly feed: ChangeFeed
  /** Aborts when the service stops: what streams ends. */
  readonly signal: AbortSignal
}

/** What the demo adds to the admin interface. */
export interface DemoFacts {
  /** What signs in with `token` for as long as the process runs, in the place of a link's code. */
  readonly standingCode: string
  /** What the clock of its world shows, where time is simulated: all pages say so. */
  readonly simulatedNow: () => number
}

/** Who asks. */
export interface Asker {
  /**
   * `admin` may do everything, `viewer` may look, and so may `reader`: somebody on this machine, where there is no token. An
   * `operator` acts on what they see, a `subscriber` is a program that reads what one subscription is given.
   */
  readonly role: 'admin' | 'viewer' | 'reader' | 'operator' | 'subscriber'
  /** For the log: the key of the token that was shown, the name of a narrower one, or `loopback`. */
  readonly name: string
  readonly scope: Scope
}

/** Whether somebody may act on what they see. */
export function mayAct({ role }: Pick<Asker, 'role'>): boolean {
  return role === 'admin' || role === 'operator'
}

/** Who says something of an exception: the one token that may do everything has no name of its own. */
export function actsAs({ name }: Pick<Asker, 'name'>): string {
  return name === 'http.token' ? 'token' : name
}

/** What a viewer chose before, as their browser keeps it. */
export interface KeptChoices {
  /** The time zone; null: none was chosen. */
  readonly zone: string | null
  /** The language; null: none was chosen. */
  readonly language: string | null
  /** The languages that the browser says it accepts, as it says it. */
  readonly accepted: string
}

/** What is asked for by somebody who may look. */
export interface Looking {
  readonly url: string
  /** What is posted, where that only asks; null: nothing is. */
  readonly posted: Posted | null
  readonly accept: string
  readonly asker: Asker
  readonly notice: Notice | null
  /** What the clock of a simulated world shows; null: time is real. */
  readonly simulatedAt: number | null
  readonly kept: KeptChoices
  /** When the browser looked at today before; null: it does not say. */
  readonly lastVisit: number | null
}

/** A message to `/mcp`, and the headers that belong to it. */
export interface Posted {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A whole answer. */
export interface Look {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body, in UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * What answers those who only look, where that does not hold up what polls and delivers. Resolves to null where it cannot: the
 * caller answers by itself.
 */
export type PageReader = (looking: Looking) => Promise<Look | null>

/** Metrics in the text format of Prometheus. */
export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

export interface AccessSettings {
  /** The token of who may act; null: nobody may do everything. Without any token the interface answers only to a loopback Host, and is read-only. */
  readonly token: string | null
  readonly viewerToken: string | null
  /** The tokens that let see less. */
  readonly tokens: readonly NarrowerToken[]
  readonly publicUrl: string | null
}

/** What takes the configuration to say. */
export interface AdminReports {
  /** With `patienceMs`, what takes a look at all that is read is waited for no longer, and left out where it was never found out. */
  status(patienceMs?: number): Promise<Status>
  /** The accounts of the store; the oldest read of what is read one by one is that of what is still read. */
  accounts(): Promise<readonly AccountOverview[]>
  /** The freshness of accounts that the store knows, in their order. */
  freshness(accounts: readonly string[]): Promise<readonly Freshness[]>
  plan(): Promise<readonly AccountPlan[]>
  /** The newest events of records, of these accounts or of all, at most some thousands: held, so that only what is new is read. */
  recentEvents(accounts?: readonly string[]): Promise<RecentEvents>
  /**
   * What is due of each account, as it was a short while ago; null: nobody found it out within that time. Where little is due, a page
   * of its invoices says it as it is now.
   */
  dueInvoices(patienceMs: number): Promise<readonly AccountDue[] | null>
  /** Names of the other accounts that ask with the key of this one: they share its budget. */
  sharing(account: string): readonly string[]
  /** How many of the log's events since a subscription would have received, as it is configured now; tests are none. `accounts`: of their events alone. */
  matched(
    subscription: string,
    trial: { readonly since: number; readonly patienceMs: number; readonly accounts?: readonly string[] },
  ): Promise<Matched>
  /** Where and how the subscription is sent to; nothing of it is secret. Empty where it is not configured. */
  channel(subscription: string): readonly { readonly name: string; readonly value: string }[]
  /** What the subscription would be sent for an event that is stored: text, HTML or JSON, as people read it. */
  preview(subscription: string, eventId: string): Promise<readonly MessagePreview[]>
}

interface Matched {
  readonly matched: number
  readonly of: number
  /** Whether patience sufficed for all of them; else these are the newest. */
  readonly isWhole: boolean
}

export interface MessagePreview {
  /** What kind of text the preview is: `application/json`, `text/plain`, `text/html`. */
  readonly mediaType: string
  readonly text: string
}

/**
 * What the admin interface does; each is in force at once for this process and others. All throw `ShipbellError`: `not_found`
 * where what is named is not known, `wrong_state` where its state does not allow it.
 */
export interface AdminActions extends RuntimeActions {
  /** Retries one row, a delivered one too. Resolves to how many rows are pending by it: 0 where its endpoint is disabled. */
  retry(deliveryId: string): Promise<number>
  /** Rows that `retryMatching` would retry, or make. */
  countMatching(choice: RetryChoice): Promise<number>
  /** Goes on in the background; `onProgress` is called as it does. Resolves to how many rows were retried. */
  retryMatching(
    choice: RetryChoice,
    options: { readonly signal: AbortSignal; readonly onProgress?: (done: number) => void },
  ): Promise<number>
  /** Sends `shipbell.test` and waits for its one attempt, which whoever may ask for it is told, though its event is of no account. */
  test(subscription: string, signal: AbortSignal): Promise<SentTest | null>
  /** Resolves to how many held rows are released. */
  enable(subscription: string): Promise<number>
  disable(subscription: string): Promise<void>
  /** Resolves to how many held rows are dropped. */
  discard(subscription: string): Promise<number>
  /** Says that whoever reads the feed has all up to this number. Resolves to how many rows are delivered by it. */
  takeFeed(subscription: string, position: number): Promise<number>
  /** How many records a subscription would be sent as they stand, of one resource or of all that it hears of. */
  countSnapshot(subscription: string, only: RecordResource | null): Promise<SnapshotCount>
  /** Begins to send them. Resolves to how many there are. */
  beginSnapshot(subscription: string, only: RecordResource | null): Promise<number>
  /** Sends nothing more of them. */
  cancelSnapshot(subscription: string): Promise<void>
  /** Resolves to the hold as it is judged now. */
  judgeHold(hold: NamedHold, verdict: HoldVerdict): Promise<HeldList>
  /** Acknowledges an open exception; null: takes that back. Resolves to the exception as it is now. */
  acknowledge(id: string, said: Omit<Acknowledgement, 'at'> | null): Promise<KeptException>
}

export interface SnapshotCount {
  readonly rows: number
  /** How many more `where` leaves out. */
  readonly leftOut: number
}

export interface RetryChoice {
  readonly subscription: string
  readonly since: number
  /** Whether rows are made, too, for matching events that have none. */
  readonly missing: boolean
  /** Which of the rows that are there are meant; it says nothing about `missing` ones. */
  readonly only?: Pick<DeliveryQuery, 'account' | 'states' | 'cause'>
}
