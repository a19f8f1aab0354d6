/** The account that samples are of, whatever accounts are configured. */
export const SAMPLE_ACCOUNT = 'acme'
