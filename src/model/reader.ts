/** The languages that messages are written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'nl', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** How somebody reads messages. */
export interface Reader {
  readonly language: Language
  /** IANA name; null: each date in the offset that it was sent with. */
  readonly timeZone: string | null
}
