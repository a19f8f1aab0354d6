/** The guard refused every address of a target; nothing was dialled. The message is one sentence for the operator. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  /** `rule` completes "the address …"; `address` is null where the name has none. */
  constructor(refusal: { readonly hostname: string; readonly address: string | null; readonly rule: string }) {
    const { hostname, address, rule } = refusal
    const subject = address === null || address === hostname ? hostname : `${address} (an address of ${hostname})`
    super(`${subject} ${rule}`)
  }
}
