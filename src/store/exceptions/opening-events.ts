/**
 * Whether the event of a row of `events` opened an exception that is still open. Such an event stays in the ledger with its rows, which
 * say who is to be told of it again. The key of what is open finds it.
 */
export const OPENED_WHAT_IS_OPEN = `EXISTS (
  SELECT 1 FROM exceptions
  WHERE exceptions.account = events.account AND exceptions.resource = events.resource
    AND exceptions.subject_id = events.subject_id AND exceptions.type = events.type
    AND exceptions.closed_at IS NULL AND exceptions.event = events.id)`
