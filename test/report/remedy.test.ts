import { describe, expect, test } from 'vitest'
import type { DeliveryState } from '../../src/model/delivery.ts'
import { remedyOf } from '../../src/report/remedy.ts'

const CASES = [
  { status: 401, error: 'https://erp.example answered 401', says: 'compare `secret` and `headers` of `erp`' },
  { status: 404, error: 'https://erp.example answered 404', says: 'correct the address of `erp`' },
  { status: 410, error: 'https://erp.example answered 410 Gone', says: 'correct the address of `erp`' },
  { status: 302, error: 'https://erp.example answered 302', says: 'put the final address into `erp`' },
  { status: 413, error: 'https://erp.example answered 413', says: '`payload: auto`' },
  { status: 422, error: 'https://erp.example answered 422', says: 'its answer says why' },
  { status: 429, error: 'https://erp.example answered 429', says: '`rate`' },
  { status: 535, error: 'mail.example answered 535 to the login', says: '`smtp`' },
  { status: 503, error: 'https://erp.example answered 503', says: 'look at its log' },
  { status: null, error: 'erp.example refused the connection (ECONNREFUSED)', says: 'start the receiver' },
  { status: null, error: 'The host name of erp.example cannot be resolved (ENOTFOUND)', says: 'mend the DNS' },
  { status: null, error: 'https://erp.example did not answer within 15s', says: 'longer `timeout`' },
  { status: null, error: 'Nothing was sent to erp.example: 10.0.0.1 is private', says: '`delivery.allow_networks`' },
  {
    status: null,
    error: 'The certificate of erp.example, or of its authority, has expired (CERT_HAS_EXPIRED)',
    says: 'new certificate',
  },
  {
    status: null,
    error: 'The certificate of erp.example is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
    says: 'host name that its certificate is for',
  },
  { status: null, error: 'No trusted authority stands behind the certificate of erp.example (X)', says: '`tls.ca`' },
  { status: null, error: 'erp.example cannot be reached (ETIMEDOUT)', says: 'the firewall' },
  { status: null, error: 'erp.example closed the connection without an answer (ECONNRESET)', says: 'hangs up' },
  { status: null, error: 'Something that nobody foresaw', says: 'send `erp` a test' },
] as const

describe('the remedy of a failed attempt', () => {
  test.each(CASES)('$error: $says', ({ error, says, status }) => {
    expect(remedyOf({ subscription: 'erp', status, error })).toContain(says)
  })

  test.each(CASES)('$error promises a retry only where one comes', ({ error, status }) => {
    const remedy = (state: DeliveryState): string => remedyOf({ subscription: 'erp', status, error, state })
    expect(remedy('pending')).toMatch(/tried again by itself/)
    for (const state of ['exhausted', 'held', 'discarded', 'delivered'] as const)
      expect(remedy(state)).not.toMatch(/tried again by itself|retries go on/i)
    expect(remedy('exhausted')).toMatch(/No retry is left/)
  })
})
