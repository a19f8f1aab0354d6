import { httpUrl } from './http-url.ts'
import { text, token } from './scalar-types.ts'
import { section } from './section.ts'
import { required } from './shape.ts'
import { value } from './value.ts'

export const slack = section({
  url: required(value(httpUrl), 'The incoming webhook of a Slack channel; a secret, since whoever knows it may post.'),
})

const svixServer = httpUrl.refine(
  (url) => !url.includes('?') && !/\/api(?:\/v1)?\/?$/.test(url),
  'must not have a query, nor end in /api/v1: paths such as /api/v1/app are appended',
)

/** What Svix takes for a uid, but for what a URL path would lose. */
const svixUid = text.refine(
  (uid) => /^[A-Za-z0-9._-]{1,256}$/.test(uid) && !/^\.{1,2}$/.test(uid),
  'must be letters, digits, `.`, `_` and `-`, 256 at most: it is a uid in Svix',
)

export const svix = section({
  token: required(value(token), 'Token of the Svix server; it must make applications, event types and messages.'),
  server: required(value(svixServer), 'Address of the Svix server, without /api/v1.'),
  app: required(value(svixUid), 'Uid of the application whose endpoints hear the events; made where it is missing.'),
})
