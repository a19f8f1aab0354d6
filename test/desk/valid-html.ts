import { HtmlValidate, type ResolvedConfig, StaticConfigLoader } from 'html-validate'

/** All pages are judged alike: the rules and the elements of HTML are not put together anew for each. */
class ResolvedOnce extends StaticConfigLoader {
  #resolved: ResolvedConfig | Promise<ResolvedConfig> | null = null

  override getConfigFor(handle: string): ResolvedConfig | Promise<ResolvedConfig> {
    return (this.#resolved ??= super.getConfigFor(handle))
  }
}

const RULES = new ResolvedOnce({
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // The formatter lays the templates out, and browsers read both ways.
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
const VALIDATOR = new HtmlValidate(RULES)

/** What is wrong with a page, one line for each fault. */
export async function faultsOf(html: string): Promise<readonly string[]> {
  const { results } = await VALIDATOR.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ line, message, ruleId }) => `${line}: ${ruleId}: ${message} ${html.split('\n')[line - 1]?.trim() ?? ''}`,
    ),
  )
}
