/** Joins a document and its base to a row that points at it. */
export function joinBody(name: string, condition: string): string {
  return `LEFT JOIN bodies AS ${name} ON ${condition} LEFT JOIN bodies AS ${name}_beneath ON ${name}_beneath.ref = ${name}.base`
}

/** `NAME_codec`, `NAME_content`, `NAME_base`, `NAME_base_codec`, `NAME_base_content`. */
export function bodyColumns(name: string): string {
  return `${name}.codec AS ${name}_codec, ${name}.content AS ${name}_content, ${name}.base AS ${name}_base,
    ${name}_beneath.codec AS ${name}_base_codec, ${name}_beneath.content AS ${name}_base_content`
}
