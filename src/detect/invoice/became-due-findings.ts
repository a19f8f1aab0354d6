import { formatInstant } from '../../model/instant.ts'
import { field, textField } from '../../model/json.ts'
import type { Comparison } from '../comparison.ts'
import type { Finding } from '../finding.ts'

/** `invoice.due` by status: once per due date, and not where the due day itself has rung (contract section 4). */
export function becameDueFindings({ before, after, at, memory }: Comparison): readonly Finding[] {
  if (field(after, 'type') !== 'invoice') return []
  if (field(after, 'status') !== 'due' || field(before, 'status') === 'due') return []
  const dueDate = textField(after, 'due_date')
  const edge = (reason: 'status' | 'date'): string => `due/${dueDate ?? 'none'}/${reason}`
  const rung = memory.rung ?? []
  if (rung.includes(edge('status')) || rung.includes(edge('date'))) return []
  return [
    {
      type: 'invoice.due',
      about: { kind: 'rule', edge: [edge('status')] },
      extras: { reason: 'status', due_date: dueDate, at: formatInstant(at) },
      remember: (known) => ({ ...known, rung: [...(known.rung ?? []), edge('status')] }),
    },
  ]
}
