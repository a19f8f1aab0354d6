import type { DeliveryState } from '../model/delivery.ts'
import type { Style } from './paint.ts'

export const DELIVERY_STYLES: Readonly<Record<DeliveryState, Style>> = {
  pending: 'yellow',
  delivered: 'green',
  exhausted: 'red',
  held: 'yellow',
  discarded: 'dim',
}
