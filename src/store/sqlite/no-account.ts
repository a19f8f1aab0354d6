/** Stands in `account` columns for what is of no account (subscriptions, `endpoint.*`, `shipbell.test`); no account can be named so. */
export const NO_ACCOUNT = ''
