/** Where mail is handed in, of `smtp[s]://user:password@host:port`. */
export interface SmtpServer {
  /** Without the brackets of IPv6. */
  readonly host: string
  readonly port: number
  /** TLS from the first byte; else STARTTLS where it is offered. */
  readonly secure: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
}

const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

export function parseSmtpServer(server: string): SmtpServer {
  const url = new URL(server)
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    login: url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) },
  }
}

/** A percent sign that encodes nothing is meant as one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
