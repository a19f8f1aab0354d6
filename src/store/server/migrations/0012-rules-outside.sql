--! breaking
-- What is decided of rows is decided by `ledger/`. Workers of the version before call functions that are no more.
DROP FUNCTION settle_deliveries, record_outcomes, record_successes, place_rows;
DROP TYPE outcome;
DROP FUNCTION shut_endpoint, unsettle, settle_slice, follow_endpoint, retry_deliveries, recover_claims, is_alive;
