-- What is not well of some accounts, the newest first.
CREATE INDEX exceptions_account ON exceptions (account, opened_at, ref);
CREATE INDEX exceptions_account_standing ON exceptions (account, opened_at, ref) WHERE closed_at IS NULL;
