const MOST = 100

/**
 * To be called for every interim answer (1xx) of one attempt; throws above 100. They cost no memory, but an endpoint that
 * sends nothing else would keep the process busy until the deadline.
 */
export function interimLimit(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > MOST) throw new Error(`more than ${MOST} interim answers (1xx) came and no final one`)
  }
}
