import { CLOUD_EVENT_SOURCE } from '../model/cloud-event.ts'
import { FORMATS, PAYLOADS } from '../model/payload.ts'
import { choice, payloadSize, text } from './values.ts'

/** What stands before the account in a URI reference. */
const uriReference = text.refine(
  (source) => /^[\w.~!$&'()*+,;=:@/%-]+$/.test(source) && URL.canParse(source, 'https://shipbell.example'),
  'must be a URI or a path without query and fragment, such as /accounts or https://shipbell.example/accounts',
)

/** How payloads are written, for those who read them as they are. */
export const shapeKeys = {
  payload: choice(PAYLOADS)
    .prefault('full')
    .describe('`thin` leaves out `object`, `previous` and `changes`; `auto` does after an answer 413.'),
  payload_limit: payloadSize
    .prefault('256kB')
    .describe('A payload that would be larger is sent thin, with `truncated`.'),
  format: choice(FORMATS)
    .prefault('standard')
    .describe('The envelope: `standard`, `cloudevents` (CloudEvents 1.0) or `cloudevents-binary`.'),
  source: uriReference.prefault(CLOUD_EVENT_SOURCE).describe('Of CloudEvents: `source` is this, `/` and the account.'),
}
