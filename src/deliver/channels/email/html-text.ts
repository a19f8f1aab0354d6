import { plainText } from './plain-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text for an HTML document, between tags or inside a quoted attribute. */
export function htmlText(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
