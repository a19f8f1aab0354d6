import { describe } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import type { DailyTotals } from './daily-totals.ts'
import { describeAdmin } from './conformance-admin.ts'
import { describeCalendar } from './conformance-calendar.ts'
import { describeDates } from './conformance-dates.ts'
import { describeDelivering } from './conformance-delivering.ts'
import { describeEndpoints } from './conformance-endpoints.ts'
import { describeExceptions } from './conformance-exceptions.ts'
import { describeFeeds } from './conformance-feeds.ts'
import { describeNarrowed } from './conformance-narrowed.ts'
import { describeLedger } from './conformance-ledger.ts'
import { describeLog } from './conformance-log.ts'
import { describeLiving } from './conformance-living.ts'
import { describeLogPages } from './conformance-log-pages.ts'
import { describeExpectations } from './conformance-expectations.ts'
import { describeArrivals } from './conformance-arrivals.ts'
import { describeNotes } from './conformance-notes.ts'
import { describeOrder } from './conformance-order.ts'
import { describeLearnt } from './conformance-learnt.ts'
import { describePages } from './conformance-pages.ts'
import { describePositions } from './conformance-positions.ts'
import { describePolling } from './conformance-polling.ts'
import { describeQuarantine } from './conformance-quarantine.ts'
import { describeHistory } from './conformance-history.ts'
import { describeQuestions } from './conformance-questions.ts'
import { describeStories } from './conformance-stories.ts'
import { describeDue } from './conformance-due.ts'
import { describeLists } from './conformance-lists.ts'
import { describeRecords } from './conformance-records.ts'
import { describeRuntime } from './conformance-runtime.ts'
import { describeSamples } from './conformance-samples.ts'
import { describeSearch } from './conformance-search.ts'
import { describeRouting } from './conformance-routing.ts'
import { describeRemoval } from './conformance-removal.ts'
import { describeSlices } from './conformance-slices.ts'
import { describeSnapshots } from './conformance-snapshots.ts'
import { describeSettling } from './conformance-settle.ts'
import { describeValidators } from './conformance-validators.ts'
import { describeSteady } from './conformance-steady.ts'
import { describeTracking } from './conformance-tracking.ts'
import { describeLedgerEnd } from './conformance-ledger-end.ts'
import { describeRetention } from './conformance-retention.ts'

/** Opens a store that is empty and that no other test uses; the suite disposes it. */
export type OpenStore = () => Promise<TestedStore>

export interface TestedStore extends Store {
  dailyTotals(): Promise<DailyTotals>
}

/** What every store must do: the comments of `src/store/ports/store.ts`, executed. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`${name} keeps the ports' contract`, () => {
    describePolling(open)
    describeLearnt(open)
    describePages(open)
    describeArrivals(open)
    describeNotes(open)
    describeExpectations(open)
    describeCalendar(open)
    describeSettling(open)
    describeTracking(open)
    describeRemoval(open)
    describeQuarantine(open)
    describeRouting(open)
    describeDelivering(open)
    describeFeeds(open)
    describePositions(open)
    describeSteady(open)
    describeEndpoints(open)
    describeOrder(open)
    describeLiving(open)
    describeSlices(open)
    describeHistory(open)
    describeQuestions(open)
    describeStories(open)
    describeRecords(open)
    describeDue(open)
    describeLists(open)
    describeSearch(open)
    describeDates(open)
    describeExceptions(open)
    describeNarrowed(open)
    describeSamples(open)
    describeLog(open)
    describeLogPages(open)
    describeAdmin(open)
    describeRuntime(open)
    describeSnapshots(open)
    describeLedgerEnd(open)
    describeRetention(open)
    describeLedger(open)
    describeValidators(open)
  })
}
