import type { Severity } from '../../../model/severity.ts'

/** Worst first. */
export const TONES: readonly Severity[] = ['critical', 'warning', 'neutral', 'good']

/** The bar beside a message, or a dot before it. */
export const TONE_COLORS: Readonly<Record<Severity, string>> = {
  critical: '#d72b3f',
  warning: '#e8a33d',
  neutral: '#7d8a99',
  good: '#2e9e6b',
}
