/** The groups of a section, as people look for them. */
const GROUPS: ReadonlySet<string> = new Set([
  'Breaking',
  'Added',
  'Changed',
  'Deprecated',
  'Removed',
  'Fixed',
  'Security',
])

/** A section that is read: details are in the commits. */
const MOST_LINES = 60

interface Asked {
  readonly version: string
  /** `YYYY-MM-DD` */
  readonly today: string
}

/** What keeps a changelog from being that of a release, in a sentence; null: nothing does. */
export function changelogProblem(changelog: string, { version, today }: Asked): string | null {
  const sections = sectionsOf(changelog)
  const heading = `${version} (${today})`
  const own = sections.find(({ title }) => title === heading)
  if (own === undefined) {
    const dated = sections.find(({ title }) => title.startsWith(`${version} `))
    if (dated === undefined) return `CHANGELOG.md has no section \`## ${heading}\`.`
    return `CHANGELOG.md has the section \`## ${dated.title}\`, but today it should be \`## ${heading}\`.`
  }
  const [first, second] = sections
  if (first?.title !== 'Unreleased' || second !== own)
    return `CHANGELOG.md should begin with an empty \`## Unreleased\`, and then \`## ${heading}\`.`
  if (first.lines.length > 0) return `CHANGELOG.md still lists changes as unreleased: move them to ${version}.`
  return sectionProblem(own)
}

interface Section {
  readonly title: string
  /** The lines that are not empty. */
  readonly lines: readonly string[]
}

function sectionProblem({ title, lines }: Section): string | null {
  if (!lines.some((line) => line.startsWith('- '))) return `The section \`## ${title}\` of CHANGELOG.md lists nothing.`
  if (lines.length > MOST_LINES)
    return `The section \`## ${title}\` of CHANGELOG.md has ${lines.length} lines, and ${MOST_LINES} are read: details belong into commits.`
  const groups = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4))
  const unknown = groups.find((name) => !GROUPS.has(name))
  if (unknown === undefined) return null
  return `The section \`## ${title}\` of CHANGELOG.md has the group ${unknown}; groups are ${[...GROUPS].join(', ')}.`
}

function sectionsOf(changelog: string): readonly Section[] {
  const [, ...parts] = changelog.split(/^## /m)
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { title, lines: lines.filter((line) => line.trim() !== '') }
  })
}
