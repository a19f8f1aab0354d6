import { fileURLToPath } from 'node:url'
import { issueCertificate } from '../support/certificate.ts'
import { SECRET } from './scratch.ts'

export const EXAMPLES = fileURLToPath(new URL('../../config', import.meta.url))
const CERTIFICATE = issueCertificate({ name: 'example' })
/** What the examples of the repository take from the environment. */
export const ENV = {
  ACME_API_KEY: 'a',
  GLOBEX_API_KEY: 'a',
  GLOBEX_SECRET: SECRET,
  NORTH_API_KEY: 'a',
  SOUTH_API_KEY: 'a',
  ERP_SECRET: SECRET,
  TOWER_SECRET: SECRET,
  TOWER_SECRET_OLD: SECRET,
  FINANCE_SECRET: SECRET,
  SHIPBELL_TOKEN: 'a-token-of-24-characters',
  ACME_PEOPLE_TOKEN: 'another-of-24-characters',
  ERP_CATCH_UP_TOKEN: 'a-third-of-24-characters',
  SLACK_URL: 'https://hooks.slack.example/services/T0/B0/x',
  SLACK_BOT_TOKEN: 'xoxb-of-the-bot-of-an-app',
  SLACK_SIGNING_SECRET: 'signing-secret-of-an-app',
  TEAMS_URL: 'https://teams.example/workflows/x',
  GOOGLE_CHAT_URL: 'https://chat.example/v1/spaces/A/messages?key=k&token=t',
  MATTERMOST_URL: 'https://mattermost.example/hooks/x',
  ROCKETCHAT_URL: 'https://rocket.example/hooks/x/y',
  SHIPBELL_KEY: Buffer.alloc(32, 7).toString('base64'),
  PROXY_URL: 'http://user:pa55-w0rd@proxy.example:3128',
  PING_URL: 'https://hc.example/0b1c6a3e-93a4-4a5e-9f0e-2d3c4b5a6978',
  SVIX_TOKEN: 'sk_test',
  SMTP_URL: 'smtps://user:pa55-w0rd@mail.example:465',
  ...Object.fromEntries(
    ['ACME', 'ERP', 'SMTP'].flatMap((name) => [
      [`${name}_CA`, CERTIFICATE.cert],
      [`${name}_CERT`, CERTIFICATE.cert],
      [`${name}_KEY`, CERTIFICATE.key],
    ]),
  ),
}

/** The document for each of its leaves, which is replaced by what is given. */
export function leavesOf(value: unknown): readonly ((by: string | null) => unknown)[] {
  if (Array.isArray(value))
    return value.flatMap((child: unknown, index) =>
      leavesOf(child).map(
        (inside) =>
          (by: string | null): unknown =>
            value.with(index, inside(by)),
      ),
    )
  if (typeof value !== 'object' || value === null) return [(by) => by]
  return Object.entries(value).flatMap(([key, child]) =>
    leavesOf(child).map((inside) => (by: string | null): unknown => ({ ...value, [key]: inside(by) })),
  )
}
