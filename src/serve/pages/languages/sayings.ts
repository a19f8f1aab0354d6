import { SNAPSHOT_SAYINGS } from './snapshot-sayings.ts'
import { SUBSCRIBING_SAYINGS } from './subscribing-sayings.ts'
import { SUBSCRIPTION_SAYINGS } from './subscription-sayings.ts'
import { ATTEMPT_SAYINGS } from './attempt-sayings.ts'
import { NEED_SAYINGS } from './need-sayings.ts'
import { SYSTEM_SAYINGS } from './system-sayings.ts'
import { PLAN_SAYINGS } from './plan-sayings.ts'
import { READING_SAYINGS } from './reading-sayings.ts'
import { ACCOUNT_SAYINGS } from './account-sayings.ts'
import { DELIVERY_SAYINGS } from './delivery-sayings.ts'
import { FIGURE_SAYINGS } from './figure-sayings.ts'
import { EVENT_SAYINGS } from './event-sayings.ts'
import { RECORD_SAYINGS } from './record-sayings.ts'
import { DATES_SAYINGS } from './dates-sayings.ts'
import { SEARCH_SAYINGS } from './search-sayings.ts'
import { LIST_SAYINGS } from './list-sayings.ts'
import { CHANGES_SAYINGS } from './changes-sayings.ts'
import { FRAME_SAYINGS } from './frame-sayings.ts'
import { TODAY_SAYINGS } from './today-sayings.ts'
import type { Sayings } from './sayings-of.ts'

export const SAYINGS: Sayings = {
  ...SNAPSHOT_SAYINGS,
  ...SUBSCRIBING_SAYINGS,
  ...SUBSCRIPTION_SAYINGS,
  ...ATTEMPT_SAYINGS,
  ...NEED_SAYINGS,
  ...SYSTEM_SAYINGS,
  ...PLAN_SAYINGS,
  ...READING_SAYINGS,
  ...ACCOUNT_SAYINGS,
  ...DELIVERY_SAYINGS,
  ...FIGURE_SAYINGS,
  ...EVENT_SAYINGS,
  ...RECORD_SAYINGS,
  ...DATES_SAYINGS,
  ...SEARCH_SAYINGS,
  ...LIST_SAYINGS,
  ...CHANGES_SAYINGS,
  ...FRAME_SAYINGS,
  ...TODAY_SAYINGS,
}
