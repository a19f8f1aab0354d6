import type { DeliveryState } from '../model/delivery.ts'

/** What of a failed attempt says how to mend it. */
export interface FailedAttempt {
  readonly subscription: string
  /** HTTP's, or a mail server's reply; null: no answer came. */
  readonly status: number | null
  /** Why the attempt failed, in one sentence. */
  readonly error: string
  /** The state of the delivery's row; left out: nobody asks what comes next. */
  readonly state?: DeliveryState
}

interface Row {
  readonly of: RegExp
  readonly remedy: string
}

/** By the sentences of `http/failure.ts` and of the channels; the first that fits counts. */
const WITHOUT_ANSWER: readonly Row[] = [
  {
    of: /^The proxy .* asks for a login/,
    remedy: 'Put the login that it wants into the address of the proxy: `proxy` of NAME, or of `smtp`.',
  },
  {
    of: /^The proxy .* does not let Shipbell through/,
    remedy: 'Ask who runs the proxy to allow that host and port.',
  },
  {
    of: /^The proxy .* did not get through/,
    remedy: "Look at the proxy's log, and whether the host name is known where it runs.",
  },
  {
    of: /^(?:The|No TLS connection to the|What answers at) .*\bproxy\b/,
    remedy: 'Correct the address of the proxy, `proxy` of NAME or of `smtp`, or look why it does not work.',
  },
  {
    of: /^Nothing was sent to|ADDRESS_REFUSED/,
    remedy:
      'Shipbell dials no private address by itself: correct the address of NAME, or name its network in `delivery.allow_networks`.',
  },
  {
    of: /cannot be resolved|ENOTFOUND|EAI_AGAIN/,
    remedy: 'Its host name has no address: correct the address of NAME, or mend the DNS that this machine asks.',
  },
  {
    of: /ECONNREFUSED|refused the connection/,
    remedy: 'Nothing listens there: start the receiver, or correct the port in the address of NAME.',
  },
  {
    of: /CERT_HAS_EXPIRED|has expired/,
    remedy: 'The receiver needs a new certificate; until then nothing is sent there.',
  },
  {
    of: /ALTNAME|another host name/,
    remedy: 'Use the host name that its certificate is for in the address of NAME, or have the certificate changed.',
  },
  {
    of: /client certificate/,
    remedy: 'Give NAME the client certificate that the receiver asks for: `tls: { cert, key }`.',
  },
  {
    of: /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    remedy:
      'Have the receiver send its intermediate certificate too (the whole chain), or name the authority of its certificate in `tls.ca` of NAME.',
  },
  {
    of: /certificate|SELF_SIGNED|authority|CERT/i,
    remedy: 'Name the authority of its certificate in `tls.ca` of NAME, or have the receiver show a trusted one.',
  },
  {
    of: /TLS|SSL/,
    remedy:
      'Look whether https and the port in the address of NAME are right, and which TLS versions the receiver speaks.',
  },
  {
    of: /HTTP\/2|HTTP\/1\.1|valid HTTP/,
    remedy: 'Something other than a web server answers there: correct the address and port of NAME.',
  },
  {
    of: /did not answer within/,
    remedy: 'It answers too slowly: have it answer first and work later, or give NAME a longer `timeout`.',
  },
  {
    of: /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|cannot be reached/,
    remedy: 'No way leads there: look at the network and the firewall between this machine and the receiver.',
  },
  {
    of: /ECONNRESET|EPIPE|UND_ERR_SOCKET|closed the connection/,
    remedy: 'The receiver, or a proxy before it, hangs up: look at its log at the time of an attempt.',
  },
]

const BY_STATUS: readonly { readonly is: (status: number) => boolean; readonly remedy: string }[] = [
  {
    is: (status) => status === 401 || status === 403 || status === 407,
    remedy: 'It does not accept who sends: compare `secret` and `headers` of NAME with what the receiver expects.',
  },
  {
    is: (status) => status === 404 || status === 405 || status === 410,
    remedy: 'Nothing takes events at that address: correct the address of NAME.',
  },
  {
    is: (status) => status >= 300 && status < 400,
    remedy: 'It points elsewhere, and redirects are not followed: put the final address into NAME.',
  },
  {
    is: (status) => status === 413,
    remedy: 'Its largest body is smaller than the event: raise that limit there, or set `payload: auto` on NAME.',
  },
  {
    is: (status) => status === 408 || status === 504,
    remedy: 'It answers too slowly: have it answer first and work later, or give NAME a longer `timeout`.',
  },
  {
    is: (status) => status === 429,
    remedy: 'It wants fewer at once: give NAME a `rate`, or a smaller `concurrency`.',
  },
  {
    is: (status) => status === 530 || status === 534 || status === 535 || status === 538,
    remedy: 'The mail server refuses the login: correct user and password of `smtp`.',
  },
  {
    is: (status) => status >= 400 && status < 500,
    remedy:
      'It understands the request and does not like it: its answer says why, and the preview of NAME shows what it is sent.',
  },
  {
    is: (status) => status >= 500,
    remedy: 'The receiver itself fails: look at its log.',
  },
]

const NEXT: Readonly<Partial<Record<DeliveryState, string>>> = {
  pending: 'It is tried again by itself as long as a retry is left.',
  exhausted: 'No retry is left: once that is mended, send it again (`shipbell deliveries retry`).',
}

const OTHER = 'Look at the answer of the last attempt, and send NAME a test once something was mended.'

/** What to do about deliveries that fail like this, in one sentence or two. */
export function remedyOf({ error, state, status, subscription }: FailedAttempt): string {
  const found =
    status === null ? WITHOUT_ANSWER.find(({ of }) => of.test(error)) : BY_STATUS.find(({ is }) => is(status))
  const remedy = (found?.remedy ?? OTHER).replace('NAME', `\`${subscription}\``)
  const next = state === undefined ? undefined : NEXT[state]
  return next === undefined ? remedy : `${remedy} ${next}`
}
