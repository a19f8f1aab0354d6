import { ShipbellError } from '../../src/errors.ts'

/** The coded error that `open` throws. */
export function refusal(open: () => unknown): ShipbellError {
  try {
    open()
  } catch (error) {
    if (error instanceof ShipbellError) return error
    throw error
  }
  throw new Error('it was not refused')
}
