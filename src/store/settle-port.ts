import type { RecordResource } from '../model/resource.ts'

/** Records with estimates that wait to ring (guarantee K6, `settle`), found without reading bodies. */
export interface SettleStore {
  /**
   * Those whose first estimate has waited for long enough at `until`, earliest first. Removed ones are left out, and the
   * tracking of removed shipments, which rings nothing (guarantee D4).
   */
  due(account: string, until: number): Promise<readonly SettlingRecord[]>

  /** When the first estimate of any of these has waited for long enough; null: none waits. */
  nextAt(account: string): Promise<number | null>
}

export interface SettlingRecord {
  readonly resource: RecordResource
  readonly id: string
}
