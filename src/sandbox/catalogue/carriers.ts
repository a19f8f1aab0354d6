import type { Mode } from './lanes.ts'

/** Who carries: `prefix` opens the bill (SCAC at sea, the three-digit airline code in the air). */
export interface Carrier {
  readonly name: string
  readonly prefix: string
  /** Vessels at sea; flight codes in the air. */
  readonly vehicles: readonly string[]
  /** Owner codes of its containers (ISO 6346, with the category letter U). */
  readonly owners: readonly string[]
}

function carrier(name: string, prefix: string, has: Partial<Pick<Carrier, 'vehicles' | 'owners'>> = {}): Carrier {
  return { name, prefix, vehicles: has.vehicles ?? [], owners: has.owners ?? ['TRHU', 'TGHU', 'CAIU'] }
}

export const CARRIERS: Readonly<Record<Mode, readonly Carrier[]>> = {
  ocean: [
    carrier('CMA CGM', 'CMDU', {
      vehicles: ['CMA CGM JACQUES SAADE', 'CMA CGM ANTOINE DE SAINT EXUPERY', 'CMA CGM MARCO POLO', 'APL TEMASEK'],
      owners: ['CMAU', 'ECMU', 'TLLU'],
    }),
    carrier('Maersk', 'MAEU', {
      vehicles: ['MADRID MAERSK', 'MUMBAI MAERSK', 'ANE MAERSK', 'MAERSK HANOI'],
      owners: ['MSKU', 'MRKU', 'TGHU'],
    }),
    carrier('MSC', 'MSCU', {
      vehicles: ['MSC IRINA', 'MSC GULSUN', 'MSC OSCAR', 'MSC MICHELLE CAPPELLINI'],
      owners: ['MSCU', 'MEDU', 'CAIU'],
    }),
    carrier('Hapag-Lloyd', 'HLCU', {
      vehicles: ['BERLIN EXPRESS', 'HAMBURG EXPRESS', 'AL JASRAH', 'COLOMBO EXPRESS'],
      owners: ['HLXU', 'HLBU', 'UACU'],
    }),
    carrier('COSCO Shipping', 'COSU', {
      vehicles: ['COSCO SHIPPING UNIVERSE', 'COSCO SHIPPING ARIES', 'CSCL GLOBE', 'OOCL SPAIN'],
      owners: ['CSNU', 'CCLU', 'OOLU'],
    }),
    carrier('ONE', 'ONEY', {
      vehicles: ['ONE INNOVATION', 'ONE INTEGRITY', 'ONE STORK', 'MOL TRIUMPH'],
      owners: ['ONEU', 'TCLU', 'NYKU'],
    }),
  ],
  air: [
    carrier('Air France Cargo', '057', { vehicles: ['AF'] }),
    carrier('Lufthansa Cargo', '020', { vehicles: ['LH'] }),
    carrier('Cathay Cargo', '160', { vehicles: ['CX'] }),
    carrier('Korean Air Cargo', '180', { vehicles: ['KE'] }),
    carrier('Qatar Airways Cargo', '157', { vehicles: ['QR'] }),
  ],
  truck: [carrier('DSV Road', 'CMR'), carrier('Girteka Logistics', 'CMR'), carrier('Gebrüder Weiss', 'CMR')],
  rail: [carrier('DB Cargo Eurasia', 'CIM'), carrier('RTSB', 'CIM'), carrier('PKP Cargo', 'CIM')],
}

export const FORWARDERS = [
  'Meridian Freight',
  'Blue Keel Forwarding',
  'Nordwind Spedition',
  'Trans-Ligne Transit',
] as const
