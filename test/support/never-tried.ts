import type { EndpointFacts } from '../../src/model/endpoint.ts'

/** The endpoint `erp` before its first attempt. */
export const NEVER_TRIED: EndpointFacts = {
  subscription: 'erp',
  failuresInARow: 0,
  failingSince: null,
  failingForMs: 0,
  lastFailureAt: null,
  lastError: null,
  lastSuccessAt: null,
  exhaustedSince: null,
  disabled: null,
  held: 0,
}
