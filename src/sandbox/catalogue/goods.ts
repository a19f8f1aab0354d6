/** What is in the boxes. Densities make weight and volume fit each other; prices are EUR per kilogram. */
export interface Goods {
  readonly description: string
  /** Six digits of the Harmonized System. */
  readonly hsCode: string
  readonly kgPerPiece: number
  readonly kgPerCbm: number
  readonly eurPerKg: number
  readonly stackable: boolean
  readonly hazard?: string
  readonly lithium?: 'alone' | 'contained' | 'packed'
  readonly magnets?: true
  readonly temperature?: string
}

export const GOODS: readonly Goods[] = [
  {
    description: 'Cotton T-shirts and polo shirts, cartons',
    hsCode: '610910',
    kgPerPiece: 0.2,
    kgPerCbm: 190,
    eurPerKg: 14,
    stackable: true,
  },
  {
    description: 'Ceramic tableware, glazed',
    hsCode: '691110',
    kgPerPiece: 0.9,
    kgPerCbm: 420,
    eurPerKg: 4.5,
    stackable: false,
  },
  {
    description: 'LED downlights with drivers',
    hsCode: '940511',
    kgPerPiece: 0.6,
    kgPerCbm: 210,
    eurPerKg: 22,
    stackable: true,
  },
  {
    description: 'Cordless drills, 18 V',
    hsCode: '846721',
    kgPerPiece: 2.4,
    kgPerCbm: 260,
    eurPerKg: 31,
    stackable: true,
    lithium: 'packed',
  },
  {
    description: 'Portable Bluetooth speakers',
    hsCode: '851822',
    kgPerPiece: 0.7,
    kgPerCbm: 180,
    eurPerKg: 48,
    stackable: true,
    lithium: 'contained',
    magnets: true,
  },
  {
    description: 'Flat-pack oak furniture',
    hsCode: '940360',
    kgPerPiece: 28,
    kgPerCbm: 310,
    eurPerKg: 5.2,
    stackable: true,
  },
  {
    description: 'Running shoes, boxed',
    hsCode: '640411',
    kgPerPiece: 0.9,
    kgPerCbm: 150,
    eurPerKg: 26,
    stackable: true,
  },
  {
    description: 'Brake discs and pads',
    hsCode: '870830',
    kgPerPiece: 6.5,
    kgPerCbm: 780,
    eurPerKg: 6.8,
    stackable: true,
  },
  {
    description: 'Cosmetics, creams and lotions',
    hsCode: '330499',
    kgPerPiece: 0.3,
    kgPerCbm: 380,
    eurPerKg: 37,
    stackable: true,
    temperature: 'Keep between 5 °C and 25 °C',
  },
  {
    description: 'Fine fragrance, glass bottles',
    hsCode: '330300',
    kgPerPiece: 0.45,
    kgPerCbm: 340,
    eurPerKg: 92,
    stackable: false,
    hazard: 'UN 1266, Perfumery products, class 3, PG II',
  },
  {
    description: 'Green coffee, 60 kg bags',
    hsCode: '090111',
    kgPerPiece: 60,
    kgPerCbm: 600,
    eurPerKg: 5.6,
    stackable: true,
  },
  { description: 'Espresso machines', hsCode: '851671', kgPerPiece: 7.5, kgPerCbm: 240, eurPerKg: 29, stackable: true },
  {
    description: 'Natural rubber mats',
    hsCode: '401691',
    kgPerPiece: 3.2,
    kgPerCbm: 520,
    eurPerKg: 3.4,
    stackable: true,
  },
  {
    description: 'Children’s toys, assorted',
    hsCode: '950300',
    kgPerPiece: 0.8,
    kgPerCbm: 140,
    eurPerKg: 12,
    stackable: true,
  },
]
