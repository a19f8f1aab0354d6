import {
  ForTag,
  type Context,
  type Liquid,
  type Parser,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs'

/** What a turn takes beside what stands in it. */
const TURN = 16

/** A loop each of whose turns counts against the bound on work, by the characters of the template that it goes over. */
export class MeteredForTag extends ForTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    const begin = rest[0]?.begin ?? token.end
    super(token, rest, liquid, parser)
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
