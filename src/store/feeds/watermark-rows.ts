import { type EndpointSwitches, isOpen } from '../../ledger/endpoint-state.ts'
import { nextWatermark } from '../../ledger/watermarks.ts'
import { FAILING_FROM } from '../../model/endpoint.ts'
import type { ClaimedWatermark } from '../ports/feed-port.ts'

/** What a claim of a watermark looks at, in either dialect. */
export const WATERMARK_COLUMNS = 'configured, enabled, disabled_at, failures_in_row, watermark_at'

export interface WatermarkRow extends EndpointSwitches {
  readonly failures_in_row: number
  readonly watermark_at: number | null
}

interface Claimed extends ClaimedWatermark {
  readonly dueAt: number
}

/** What becomes of a claim. An endpoint that is shut, or fails, gets none. */
export function claimed(row: WatermarkRow | undefined, { everyMs, now }: { everyMs: number; now: number }): Claimed {
  if (row === undefined || !isOpen(row) || row.failures_in_row >= FAILING_FROM)
    return { isDue: false, waitMs: everyMs, dueAt: now + everyMs }
  const next = nextWatermark({ dueAt: row.watermark_at, now, everyMs })
  return { ...next, waitMs: next.dueAt - now }
}
