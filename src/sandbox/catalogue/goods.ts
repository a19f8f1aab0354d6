/** What is in the boxes. Densities make weight and volume fit each other; prices are EUR per kilogram. */
export interface Goods {
  readonly description: string
  readonly kgPerCbm: number
  readonly eurPerKg: number
  readonly stackable: boolean
  readonly hazard?: string
  readonly lithium?: 'alone' | 'contained' | 'packed'
  readonly magnets?: true
  readonly temperature?: string
}

export const GOODS: readonly Goods[] = [
  { description: 'Cotton T-shirts and polo shirts, cartons', kgPerCbm: 190, eurPerKg: 14, stackable: true },
  { description: 'Ceramic tableware, glazed', kgPerCbm: 420, eurPerKg: 4.5, stackable: false },
  { description: 'LED downlights with drivers', kgPerCbm: 210, eurPerKg: 22, stackable: true },
  { description: 'Cordless drills, 18 V', kgPerCbm: 260, eurPerKg: 31, stackable: true, lithium: 'packed' },
  {
    description: 'Portable Bluetooth speakers',
    kgPerCbm: 180,
    eurPerKg: 48,
    stackable: true,
    lithium: 'contained',
    magnets: true,
  },
  { description: 'Flat-pack oak furniture', kgPerCbm: 310, eurPerKg: 5.2, stackable: true },
  { description: 'Running shoes, boxed', kgPerCbm: 150, eurPerKg: 26, stackable: true },
  { description: 'Brake discs and pads', kgPerCbm: 780, eurPerKg: 6.8, stackable: true },
  {
    description: 'Cosmetics, creams and lotions',
    kgPerCbm: 380,
    eurPerKg: 37,
    stackable: true,
    temperature: 'Keep between 5 °C and 25 °C',
  },
  {
    description: 'Fine fragrance, glass bottles',
    kgPerCbm: 340,
    eurPerKg: 92,
    stackable: false,
    hazard: 'UN 1266, Perfumery products, class 3, PG II',
  },
  { description: 'Green coffee, 60 kg bags', kgPerCbm: 600, eurPerKg: 5.6, stackable: true },
  { description: 'Espresso machines', kgPerCbm: 240, eurPerKg: 29, stackable: true },
  { description: 'Natural rubber mats', kgPerCbm: 520, eurPerKg: 3.4, stackable: true },
  { description: 'Children’s toys, assorted', kgPerCbm: 140, eurPerKg: 12, stackable: true },
]
