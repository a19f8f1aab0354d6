import type { Peer } from '../http-server.ts'
import type { Asker } from './admin-context.ts'
import type { Notice } from './pages/notice.ts'

/** What every route of the admin interface is given beside its request. */
export interface AdminEnv {
  readonly Bindings: { readonly peer: Peer }
  readonly Variables: {
    /** Set on every route that is not open to everyone. */
    readonly asker: Asker
    /** Whether a narrower token is let see what is asked for. */
    readonly opened?: boolean
    /** The methods that a narrower token might ask with in place of its own. */
    readonly otherMethods?: readonly string[]
    /** Whether a table is asked for slice by slice, by the process that sends it. */
    readonly inSlices?: boolean
    /** Whether what was shown still holds, for an answer that takes long: a changed token ends it. */
    readonly isStillKnown: () => boolean
    /** What the action before came to, for the page that is shown next. */
    readonly notice?: Notice
    /** When the browser looked at today before; left out: it does not say. */
    readonly lastVisit?: number
    /** What the clock of a simulated world shows; left out: time is real. */
    readonly simulatedAt?: number
  }
}
