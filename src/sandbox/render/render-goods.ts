import type { JsonObject } from '../../model/json.ts'
import type { Goods } from '../catalogue/goods.ts'

export function renderGoods(goods: Goods): JsonObject {
  return {
    goods_description: goods.description,
    is_stackable: goods.stackable,
    is_hazardous: goods.hazard !== undefined,
    hazardous_description: goods.hazard ?? null,
    contains_lithium: goods.lithium !== undefined,
    lithium_packaging_type: goods.lithium ?? null,
    contains_magnets: goods.magnets ?? false,
    needs_controlled_temperature: goods.temperature !== undefined,
    temperature_range_description: goods.temperature ?? null,
  }
}
