import type { html } from 'hono/html'

/** What `html` makes: markup in which every value that was put in is escaped. */
export type Html = ReturnType<typeof html>

/** What a template takes: texts are escaped, `null` shows nothing. */
export type Content = Html | string | number | null | readonly Html[]
