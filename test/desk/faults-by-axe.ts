import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The rules of axe that look at colours: to all others a dark page is the light one. */
const BY_COLOUR = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** What axe finds on a page, but for what is minor: the rule, and the elements. `options`: of `axe.run`. */
export async function faultsByAxe(page: Page, options: object = {}): Promise<unknown> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe.source)
  const found: unknown = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ passes, violations }) => passes.length === 0 ? ['axe looked at nothing'] : violations.filter(({ impact }) => impact !== 'minor').map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  )
  return found
}

/** The page that is open has no fault and nothing beyond the edge of its window, light and dark. It is light before and after. */
export async function expectFaultless(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const faults = await faultsByAxe(page, colorScheme === 'dark' ? BY_COLOUR : {})
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect({ path, colorScheme, faults, beyond }).toEqual({ path, colorScheme, faults: [], beyond: 0 })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
