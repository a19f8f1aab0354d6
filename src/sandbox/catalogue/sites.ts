/** An address of the account's: a supplier's door or a warehouse of its own. The id is its place in this list. */
export interface Site {
  readonly company: string
  readonly address: string
  readonly city: string
  /** Digits; rendered as a number, as the platform's interface has it. */
  readonly zip: number
  readonly country: string
  readonly contact: { readonly name: string; readonly email: string; readonly phone: number }
  readonly openingHours: string
  readonly requiresAppointment: boolean
  readonly requiresTailgate: boolean
  readonly note: string
}

type Row = readonly [
  company: string,
  address: string,
  city: string,
  zip: number,
  country: string,
  contact: string,
  phone: number,
  note?: string,
]

const ROWS: readonly Row[] = [
  [
    'Jiahe Textile Co., Ltd.',
    '88 Xinhua Road, Fengxian District',
    'Shanghai',
    201_400,
    'CN',
    'Wei Zhang',
    862_157_101_188,
  ],
  ['Ningbo Haitian Tools Mfg.', '16 Jinghua Road, Beilun', 'Ningbo', 315_800, 'CN', 'Li Na', 8_657_486_188_020],
  [
    'Shenzhen Brightway Electronics',
    'Building 4, Baolong Industrial Park',
    'Shenzhen',
    518_116,
    'CN',
    'Chen Jie',
    8_675_528_891_130,
  ],
  [
    'Chongqing Liangjiang Motors Parts',
    '7 Yufu Avenue, Liangjiang',
    'Chongqing',
    401_120,
    'CN',
    'Zhao Min',
    862_367_885_210,
  ],
  [
    'Kowloon Precision Watches Ltd.',
    '25 Hung To Road, Kwun Tong',
    'Hong Kong',
    999_077,
    'HK',
    'Carmen Lau',
    85_223_457_788,
    'Loading bay B, trucks up to 5.5 t.',
  ],
  ['Song Hong Garment JSC', '105 Nguyen Duc Thuan', 'Nam Dinh', 420_000, 'VN', 'Tran Thu Ha', 842_283_649_365],
  [
    'Saigon Ceramics Export',
    '12 Quoc Lo 13, Thuan An',
    'Binh Duong',
    820_000,
    'VN',
    'Nguyen Van Minh',
    842_743_755_120,
  ],
  ['Bhiwandi Cotton Mills', 'Plot 21, MIDC Saravali', 'Bhiwandi', 421_302, 'IN', 'Priya Deshmukh', 912_522_281_144],
  ['Dhaka Knit Composite Ltd.', 'House 9, Road 4, Ashulia', 'Dhaka', 1_341, 'BD', 'Rahim Uddin', 88_027_788_012],
  ['Hanil Polymer Co.', '45 Noksan Industrial Complex', 'Busan', 46_752, 'KR', 'Kim Ji-woo', 82_519_741_200],
  ['Siam Rubberware PCL', '700/5 Amata City', 'Chonburi', 20_000, 'TH', 'Somchai Prasert', 6_638_213_007],
  [
    'Marmara Makina A.S.',
    'Organize Sanayi Bolgesi 3. Cadde 11',
    'Istanbul',
    34_953,
    'TR',
    'Elif Kaya',
    902_165_930_040,
  ],
  ['Café Serra Azul Ltda.', 'Rodovia Anchieta km 58', 'Santos', 11_095_000, 'BR', 'Ana Souza', 551_332_210_990],
  ['Officine Lambro S.p.A.', 'Via Rubattino 94', 'Milan', 20_134, 'IT', 'Marco Rinaldi', 390_221_550_011],
  ['Ligurtrade Logistica', 'Via Sampierdarena 77', 'Genoa', 16_149, 'IT', 'Giulia Parodi', 390_106_456_781],
  ['Meble Mazowsze Sp. z o.o.', 'ul. Annopol 4', 'Warsaw', 3_236, 'PL', 'Piotr Nowak', 48_228_144_520],
  ['Norte Calçado Lda.', 'Rua do Bolhão 188', 'Porto', 4_000, 'PT', 'Inês Carvalho', 351_222_087_345],
  [
    'Entrepôt Seine Aval',
    '14 route des Gabions',
    'Le Havre',
    76_700,
    'FR',
    'Claire Dubois',
    33_235_530_118,
    'Appointment by e-mail 24 h ahead.',
  ],
  [
    'Plateforme Rhône Sud',
    '230 avenue de la Crau',
    'Saint-Martin-de-Crau',
    13_310,
    'FR',
    'Julien Moreau',
    33_490_471_020,
  ],
  [
    'Atelier des Dombes',
    '3 chemin du Polygone',
    'Lyon',
    69_007,
    'FR',
    'Sophie Girard',
    33_478_720_450,
    'City-centre delivery: tail lift only.',
  ],
  ['Halles de Lesquin', '9 rue des Sequoias', 'Lesquin', 59_810, 'FR', 'Hugo Lefebvre', 33_320_875_030],
  ['Hanse Warenlager GmbH', 'Finkenwerder Straße 12', 'Hamburg', 21_129, 'DE', 'Anke Petersen', 494_074_217_090],
  ['Rhein-Ruhr Umschlag GmbH', 'Bliersheimer Straße 80', 'Duisburg', 47_229, 'DE', 'Jonas Weber', 4_920_658_931_200],
  ['Isar Fulfilment GmbH', 'Am Moosfeld 23', 'Munich', 81_829, 'DE', 'Lena Huber', 498_942_710_500],
  ['Maasvlakte Distribution B.V.', 'Europaweg 875', 'Rotterdam', 3_199, 'NL', 'Daan de Vries', 31_181_378_400],
  ['Scheldt Warehousing NV', 'Noorderlaan 147', 'Antwerp', 2_030, 'BE', 'Emma Claes', 3_235_430_100],
  ['Trimley Cross Warehouse Ltd.', 'Walton Avenue 3', 'Felixstowe', 1_118, 'GB', 'Oliver Harris', 441_394_674_000],
  ['Levante Almacenes S.L.', 'Camí del Port 41', 'Valencia', 46_024, 'ES', 'Lucía Ferrer', 34_963_230_580],
  ['Garden State Fulfillment Inc.', '400 Port Carteret Drive', 'Carteret', 7_008, 'US', 'Megan Brooks', 17_325_410_022],
  [
    'Inland Empire Distribution LLC',
    '1800 S Vineyard Avenue',
    'Ontario',
    91_761,
    'US',
    'Carlos Ortega',
    19_093_905_511,
  ],
  ['Prairie State Supply Co.', '2200 Busse Road', 'Elk Grove Village', 60_007, 'US', 'Rachel Kim', 18_479_563_300],
]

/** The account's address book. */
const SITES: readonly Site[] = ROWS.map(toSite)

/** Sites of a country; every country of a lane has one. */
export function sitesIn(country: string): readonly Site[] {
  return SITES.filter((site) => site.country === country)
}

/** The number by which the platform knows a site. */
export function siteId(site: Site): number {
  return 7_001 + SITES.indexOf(site)
}

function toSite([company, address, city, zip, country, contact, phone, note = '']: Row): Site {
  const mailbox = contact
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')
  return {
    company,
    address,
    city,
    zip,
    country,
    contact: { name: contact, email: `${mailbox}@${country.toLowerCase()}.example`, phone },
    openingHours: zip % 3 === 0 ? 'Mon-Sat 07:00-19:00' : 'Mon-Fri 08:00-17:00',
    requiresAppointment: note.startsWith('Appointment') || zip % 4 === 1,
    requiresTailgate: note.includes('tail lift'),
    note,
  }
}
