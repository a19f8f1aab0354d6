import { ForTag, type Context, type TagToken, type Template } from 'liquidjs'

/** What a turn takes beside what stands in it. */
const TURN = 16

/** A loop each of whose turns counts against the bound on work, by the characters of the template that it goes over. */
export class MeteredForTag extends ForTag {
  constructor(...made: ConstructorParameters<typeof ForTag>) {
    const [token, rest] = made
    const begin = rest[0]?.begin ?? token.end
    super(...made)
    this.templates.unshift(meter(token, TURN + (rest[0]?.begin ?? token.input.length) - begin))
  }
}

function meter(token: TagToken, cost: number): Template {
  return {
    token,
    render: (context: Context) => {
      context.memoryLimit.use(cost)
    },
  }
}
