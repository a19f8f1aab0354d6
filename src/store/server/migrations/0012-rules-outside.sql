--! breaking
-- What is decided of rows is decided by `ledger/`. Workers of the version before call functions that are no more.
DROP FUNCTION settle_deliveries, record_outcomes, record_successes, place_rows;
DROP TYPE outcome;
DROP FUNCTION shut_endpoint, unsettle, settle_slice, follow_endpoint, retry_deliveries, recover_claims, is_alive;
DROP FUNCTION claim_deliveries, claimable, oldest_of_each, room_at, wake_rows, count_pace, bring_forward, waiting_deliveries, shown_rows,
  gather, next_due, has_due, oldest_ready, tests_ready, chosen_ready, claimed_events, under_way, gate_of, lightly, event_identity;
