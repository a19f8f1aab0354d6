import type { EventType } from '../../model/event-catalogue.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import { Claims } from '../claims.ts'
import type { ResourceRules } from '../comparison.ts'
import { leavesFinding } from '../finding.ts'
import { fromTo } from '../from-to.ts'
import { amountFindings } from './amount-findings.ts'
import { becameDueFindings } from './became-due-findings.ts'
import { INVOICE_SHAPE } from './invoice-shape.ts'

type Suffix = 'created' | 'status_changed' | 'due_date_changed' | 'amount_changed' | 'updated'

function typeOf(invoice: JsonObject, suffix: Suffix): EventType {
  return `${invoiceKind(invoice)}.${suffix}`
}

export const invoiceRules: ResourceRules = {
  shape: INVOICE_SHAPE,
  isIdentity: (name) => name === 'reference',
  learn: ({ memory }) => memory,
  appeared: ({ sent }) => [{ type: typeOf(sent, 'created'), about: { kind: 'record' }, extras: {} }],
  changed: (comparison, leaves) => {
    const { sent } = comparison
    const claims = new Claims(leaves)
    return [
      ...leavesFinding(typeOf(sent, 'status_changed'), claims.takeUnder('status'), {
        extras: fromTo(comparison, 'status'),
      }),
      ...becameDueFindings(comparison),
      ...leavesFinding(typeOf(sent, 'due_date_changed'), claims.takeUnder('due_date'), {
        extras: fromTo(comparison, 'due_date'),
      }),
      ...amountFindings(typeOf(sent, 'amount_changed'), comparison, claims),
      ...leavesFinding(typeOf(sent, 'updated'), claims.takeRest()),
    ]
  },
}
