/** What a problem of a schema may say beside its message: the `params` of a custom issue. */
export interface Detail {
  /** The message where the value comes from variables, and so is not shown. */
  readonly hidden?: string
  /** How many characters into the text the problem is. */
  readonly offset?: number
  /** Told at the key, not at the value. */
  readonly at?: 'key'
  /** A rule between keys: judged where nothing else is wrong in their mapping. */
  readonly rule?: true
}

/** A custom issue. `key`: the key below at which it is told. */
export function issueOf(message: string, { key, ...detail }: Detail & { readonly key?: string } = {}): CustomIssue {
  return { code: 'custom', message, params: detail, ...(key === undefined ? {} : { path: [key] }) }
}

/** No interface: the compiler takes only a type for what zod may index. */
type CustomIssue = { code: 'custom'; message: string; params: Detail; path?: string[] }
