import type { Json, JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import type { Container, Load } from '../life/pack-cargo.ts'
import { valueAt } from '../life/timeline.ts'

export function renderCargo(life: Life, time: number): JsonObject {
  const { cargo } = life
  return {
    total_weight: kilograms(valueAt(cargo.weightKg, time) ?? 0),
    total_volume: { value: cargo.volumeCbm, unit: 'cbm' },
    total_teus: cargo.teus,
    containers: (valueAt(cargo.containers, time) ?? []).map(renderContainer),
    loads: cargo.loads.map(renderLoad),
  }
}

export function kilograms(value: number): JsonObject {
  return { value, unit: 'kg' }
}

/** The interface allows numbers for seals and order references: some records render them so. */
function renderContainer(container: Container): JsonObject {
  const { seal, sealIsNumber } = container
  return {
    container_type: container.type,
    container_number: container.number,
    seal_number: sealIsNumber && seal !== null ? Number(seal) : seal,
    purchase_order_references: container.purchaseOrders.map((order): Json =>
      /^\d+$/.test(order) ? Number(order) : order,
    ),
  }
}

function renderLoad(load: Load): JsonObject {
  const [length, width, height] = load.sizeCm
  return {
    count: load.count,
    type: load.type,
    weight: kilograms(load.weightKg),
    volume_unit: 'cbm',
    length: centimetres(length),
    width: centimetres(width),
    height: centimetres(height),
  }
}

function centimetres(value: number): JsonObject {
  return { value, unit: 'cm' }
}
