/** The account that samples are of, whatever accounts there are. */
export const SAMPLE_ACCOUNT = 'acme'
