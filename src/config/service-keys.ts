import { httpUrl } from './http-url.ts'
import { text, token } from './scalar-types.ts'
import { section } from './section.ts'
import { required } from './shape.ts'
import { value } from './value.ts'

export const slack = section({
  url: required(value(httpUrl), 'The incoming webhook of a Slack channel; a secret, since whoever knows it may post.'),
})

export const svix = section({
  token: required(value(token), 'Token of the Svix server.'),
  server: required(value(httpUrl), 'Address of the Svix server.'),
  app: required(value(text), 'The application whose endpoints hear the events; made where it is missing.'),
})
