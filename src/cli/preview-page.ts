export interface PreviewedPage {
  readonly title: string
  /** A whole document. */
  readonly html: string
}

/** One page as it is; several as frames of one page, each with nothing but its own text: no scripts, no way out. */
export function previewPage(pages: readonly PreviewedPage[]): string {
  const [only] = pages
  if (only !== undefined && pages.length === 1) return only.html
  const frames = pages.map(
    ({ title, html }) => `<h2>${escaped(title)}</h2>\n<iframe sandbox="" srcdoc="${escaped(html)}"></iframe>\n`,
  )
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Shipbell: a preview</title>
<style>
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { margin: 2rem 0 .5rem; font-size: 1rem }
iframe { width: 100%; height: 36rem; border: 1px solid #ccc; border-radius: .5rem; background: #fff }
</style>
${frames.join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
