import type { Jobs } from '../jobs.ts'
import type { Notices } from './notices.ts'

/** What pages that act are given beside what the desk may do. */
export interface ActionParts {
  readonly jobs: Jobs
  readonly notices: Notices
}
