/** How requests to a platform ended since the process began. */
export interface RequestOutcome {
  readonly resource: string
  readonly outcome: string
  readonly amount: number
}

const SERIES = /^shipbell_requests_total\{([^}]*)\} ([0-9.e+]+)$/gm

/** The outcomes of an account's requests, from the text of `/metrics`; by resource, the commonest first. */
export function requestOutcomes(metrics: string, account: string): readonly RequestOutcome[] {
  return [...metrics.matchAll(SERIES)]
    .map(([, labels = '', amount = '']) => ({ labels: labelsOf(labels), amount: Number(amount) }))
    .filter(({ amount, labels }) => labels.get('account') === account && amount > 0)
    .map(({ amount, labels }) => ({
      resource: labels.get('resource') ?? '',
      outcome: labels.get('outcome') ?? '',
      amount,
    }))
    .toSorted((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : b.amount - a.amount))
}

/** Values of these labels need no escapes. */
function labelsOf(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
}
