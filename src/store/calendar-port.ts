import type { RecordResource } from '../model/resource.ts'

/** The edges of the calendar: what is due at an instant of it, without reading bodies. */
export interface CalendarStore {
  /** Records whose `nextEdgeAt` is at or before `until`, earliest first; removed ones are left out. */
  due(account: string, until: number): Promise<readonly DueRecord[]>

  /** The earliest `nextEdgeAt` after `after`; null where there is none. */
  nextAfter(account: string, after: number): Promise<number | null>

  /**
   * Makes known what the account's calendar is judged by. Where it differs from the last time, every invoice and shipment
   * becomes due to be looked at: its edges may lie elsewhere now. Idempotent; returns whether it differed.
   */
  configure(account: string, settings: string): Promise<boolean>
}

export interface DueRecord {
  readonly resource: RecordResource
  readonly id: string
}
