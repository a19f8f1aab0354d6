/**
 * A container number: owner code, six digits and the check digit of ISO 6346, which is never a 10. Two serials never share
 * a number below 100,000 of them.
 */
export function containerNumber(owner: string, serial: number): string {
  const scattered = String((serial * 61_813 + 27_449) % 100_000).padStart(5, '0')
  for (let first = serial % 7; ; first += 1) {
    const body = owner + String(first) + scattered
    const digit = checkDigit(body)
    if (digit !== 10) return body + String(digit)
  }
}

/** ISO 6346: letters count from 10 on without the multiples of 11; position n weighs 2^n; the sum modulo 11. */
function checkDigit(body: string): number {
  let sum = 0
  for (let position = 0; position < body.length; position += 1) sum += valueOf(body.charAt(position)) * 2 ** position
  return sum % 11
}

function valueOf(character: string): number {
  if (character >= '0' && character <= '9') return Number(character)
  const ordinal = character.charCodeAt(0) - 'A'.charCodeAt(0)
  return 10 + ordinal + Math.floor((ordinal + 9) / 10)
}
