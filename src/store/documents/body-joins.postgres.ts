import { type BodyRow, joinedBody } from './stored-body.ts'

/** Joins a document and its base to a row that points at it. */
export function joinBody(name: string, condition: string): string {
  return `LEFT JOIN bodies AS ${name} ON ${condition} LEFT JOIN bodies AS ${name}_beneath ON ${name}_beneath.ref = ${name}.base`
}

/** `NAME_codec`, `NAME_content`, `NAME_base`, `NAME_base_codec`, `NAME_base_content`. */
export function bodyColumns(name: string): string {
  return `${name}.codec AS ${name}_codec, ${name}.content AS ${name}_content, ${name}.base AS ${name}_base,
    ${name}_beneath.codec AS ${name}_base_codec, ${name}_beneath.content AS ${name}_base_content`
}

type Numbers<Name extends string> = {
  readonly [column in `${Name}_${'body' | 'codec' | 'base' | 'base_codec'}`]: number | null
}
type Contents<Name extends string> = { readonly [column in `${Name}_${'content' | 'base_content'}`]: Buffer | null }

/** A row with these columns, and what pointed at the document: `NAME_body`. */
export type RowWithBody<Name extends string> = Numbers<Name> & Contents<Name>

/** The document that a row points at; null: it points at none, or the join left it out. */
export function bodyOf<Name extends string>(row: RowWithBody<Name>, name: Name): BodyRow | null {
  const numbers: Numbers<Name> = row
  const contents: Contents<Name> = row
  return joinedBody({
    ref: numbers[`${name}_body`],
    codec: numbers[`${name}_codec`],
    content: contents[`${name}_content`],
    base: numbers[`${name}_base`],
    base_codec: numbers[`${name}_base_codec`],
    base_content: contents[`${name}_base_content`],
  })
}
