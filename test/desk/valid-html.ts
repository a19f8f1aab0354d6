import { HtmlValidate } from 'html-validate'

const VALIDATOR = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Prettier lays the templates out, and browsers read both ways.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'attr-quotes': 'off',
    'doctype-style': 'off',
    // It counts what is escaped by its escapes.
    'long-title': 'off',
    'no-inline-style': 'error',
    'require-sri': ['error', { target: 'crossorigin' }],
  },
})

/** What is wrong with a page, one line for each fault. */
export async function faultsOf(html: string): Promise<readonly string[]> {
  const { results } = await VALIDATOR.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ line, message, ruleId }) => `${line}: ${ruleId}: ${message} ${html.split('\n')[line - 1]?.trim() ?? ''}`,
    ),
  )
}
