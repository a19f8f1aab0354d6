import { ShipbellError } from '../errors.ts'
import { ENDPOINTS } from './endpoints.ts'

/** Says which endpoints there are. */
export function unknownEndpoint(method: string, path: string): ShipbellError {
  const asked = JSON.stringify(`${method} ${path}`.slice(0, 200))
  const known = ENDPOINTS.map((endpoint) => `  ${endpoint.method.padEnd(5)} ${endpoint.path}`).join('\n')
  return new ShipbellError(
    'usage',
    `The platform has no endpoint ${asked}; it has these (:id is one segment, a slash inside it is written %2F):\n${known}`,
  )
}
