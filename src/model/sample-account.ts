/** The account that samples are of, whatever accounts are configured. */
export const SAMPLE_ACCOUNT = 'acme'

/** Where the admin interface of samples would be. */
export const SAMPLE_PUBLIC_URL = 'https://shipbell.example'
