import { Output, TokenKind, toValueSync, Value, type Context, type PropertyAccessToken, type Template } from 'liquidjs'

/** What a template takes of an event, found at once. */
type Straight = (context: Context) => unknown

/**
 * Most values of a template are a path of names, with filters behind it. The library walks through a dozen generators for such a one; here it is
 * asked for the path and for each filter at once, which comes to the same. What is strict about missing names goes its way.
 */
export function straightenValues(templates: readonly Template[]): void {
  for (const template of templates) {
    const children = template.children?.(false, true).next()
    if (children?.done === true) straightenValues(children.value)
    const found = [...(template.arguments?.() ?? [])].filter((each) => each instanceof Value)
    for (const value of found) straighten(value)
    if (template instanceof Output) straightenOutput(template)
  }
}

function straighten(value: Value): void {
  const straight = straightOf(value)
  if (straight === null) return
  const asEver = value.value.bind(value)
  value.value = function* (context: Context, lenient?: boolean): Generator<unknown, unknown, unknown> {
    return context.strictVariables ? yield asEver(context, lenient) : straight(context)
  }
}

/** A value that is put out is a text, or what `json` makes, which the library writes as it is. */
function straightenOutput(output: Output): void {
  const straight = straightOf(output.value)
  if (straight === null) return
  const asEver = output.render.bind(output)
  const render: Template['render'] = (context, emitter) => {
    if (context.strictVariables) return asEver(context, emitter)
    emitter.write(straight(context))
    return undefined
  }
  Object.assign(output, { render })
}

function straightOf({ filters, initial }: Value): Straight | null {
  const [first, ...more] = initial.postfix
  const path = first !== undefined && more.length === 0 && isPath(first) ? namesOf(first) : null
  if (path === null) return null
  return (context) => {
    let made: unknown = context.getSync(path)
    for (const filter of filters) made = toValueSync(filter.render(made, context))
    return made
  }
}

function isPath(token: { readonly kind: TokenKind }): token is PropertyAccessToken {
  return token.kind === TokenKind.PropertyAccess
}

/** The names of a path; null: one of them is made by the template. */
function namesOf({ props, variable }: PropertyAccessToken): (string | number)[] | null {
  if (variable !== undefined) return null
  const names = props.map((prop) => ('content' in prop ? prop.content : null))
  const known = names.filter((name) => typeof name === 'string' || typeof name === 'number')
  return known.length === names.length ? known : null
}
