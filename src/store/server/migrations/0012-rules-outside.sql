--! breaking
-- What is decided of rows is decided by `ledger/`. Workers of the version before call functions that are no more.
DROP FUNCTION settle_deliveries, record_outcomes, record_successes, place_rows;
DROP TYPE outcome;
