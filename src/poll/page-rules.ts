import { hash } from 'node:crypto'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import type { AccountSettings } from '../model/account.ts'
import type { FieldTree } from '../model/field-tree.ts'
import type { RecordResource } from '../model/resource.ts'

/**
 * By what the pages of a list are judged, as a short text: where it is another one, an answer that is known may teach
 * something after all, such as another id of each shipment, or a field that has drifted.
 */
export function pageRules(account: AccountSettings, resource: RecordResource, fields: FieldTree): string {
  const rules = [account.shipmentIdField, ignoredPaths(account, resource), plain(fields)]
  return hash('sha256', JSON.stringify(rules), 'base64url').slice(0, 22)
}

function plain({ elements, fields }: FieldTree): unknown {
  return [elements === null ? null : plain(elements), [...fields].map(([name, tree]) => [name, plain(tree)])]
}
