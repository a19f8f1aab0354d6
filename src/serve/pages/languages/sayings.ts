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
