import { hash } from 'node:crypto'
import type { AccountSettings } from '../../model/account.ts'

/** Stands for the address and key that ask: whatever binds one binds every account that asks with them, and no other. */
export function credentialKeyOf({ baseUrl, apiKey }: Pick<AccountSettings, 'baseUrl' | 'apiKey'>): string {
  return hash('sha256', JSON.stringify([baseUrl, apiKey])).slice(0, 16)
}

/** What was kept of an asker; null where it is of another one, who asked at another address, or with another key. */
export function keptOf<T extends { readonly of?: string }>(credentialKey: string, kept: T | null): T | null {
  return kept?.of === undefined || kept.of === credentialKey ? kept : null
}
