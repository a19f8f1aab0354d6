/** A place where freight changes vehicle, with its UN/LOCODE. Coordinates are decimal degrees. */
export interface Hub {
  readonly unlocode: string
  readonly city: string
  readonly country: string
  readonly latitude: number
  readonly longitude: number
}

function hub(unlocode: string, city: string, position: readonly [number, number]): Hub {
  const [latitude, longitude] = position
  return { unlocode, city, country: unlocode.slice(0, 2), latitude, longitude }
}

export const HUBS = {
  shanghai: hub('CNSHA', 'Shanghai', [31.23, 121.75]),
  ningbo: hub('CNNGB', 'Ningbo', [29.93, 121.85]),
  yantian: hub('CNYTN', 'Yantian', [22.56, 114.28]),
  qingdao: hub('CNTAO', 'Qingdao', [36.02, 120.22]),
  busan: hub('KRPUS', 'Busan', [35.08, 128.83]),
  haiphong: hub('VNHPH', 'Haiphong', [20.83, 106.9]),
  hoChiMinh: hub('VNSGN', 'Ho Chi Minh City', [10.76, 106.77]),
  laemChabang: hub('THLCH', 'Laem Chabang', [13.07, 100.88]),
  singapore: hub('SGSIN', 'Singapore', [1.26, 103.75]),
  portKlang: hub('MYPKG', 'Port Klang', [3.0, 101.36]),
  colombo: hub('LKCMB', 'Colombo', [6.95, 79.84]),
  nhavaSheva: hub('INNSA', 'Nhava Sheva', [18.95, 72.95]),
  chattogram: hub('BDCGP', 'Chattogram', [22.31, 91.8]),
  ambarli: hub('TRAMR', 'Ambarli', [40.97, 28.69]),
  leHavre: hub('FRLEH', 'Le Havre', [49.47, 0.15]),
  fos: hub('FRFOS', 'Fos-sur-Mer', [43.4, 4.85]),
  rotterdam: hub('NLRTM', 'Rotterdam', [51.95, 4.05]),
  antwerp: hub('BEANR', 'Antwerp', [51.27, 4.33]),
  hamburg: hub('DEHAM', 'Hamburg', [53.54, 9.93]),
  felixstowe: hub('GBFXT', 'Felixstowe', [51.95, 1.31]),
  genoa: hub('ITGOA', 'Genoa', [44.4, 8.91]),
  valencia: hub('ESVLC', 'Valencia', [39.44, -0.32]),
  newYork: hub('USNYC', 'New York', [40.67, -74.08]),
  losAngeles: hub('USLAX', 'Los Angeles', [33.74, -118.26]),
  savannah: hub('USSAV', 'Savannah', [32.13, -81.14]),
  santos: hub('BRSSZ', 'Santos', [-23.97, -46.3]),
  pudong: hub('CNPVG', 'Shanghai Pudong', [31.14, 121.8]),
  hongKong: hub('HKHKG', 'Hong Kong', [22.31, 113.92]),
  tanSonNhat: hub('VNSGN', 'Ho Chi Minh City', [10.82, 106.65]),
  mumbai: hub('INBOM', 'Mumbai', [19.09, 72.87]),
  incheon: hub('KRICN', 'Incheon', [37.46, 126.44]),
  parisCdg: hub('FRCDG', 'Paris Charles de Gaulle', [49.01, 2.55]),
  frankfurt: hub('DEFRA', 'Frankfurt', [50.03, 8.57]),
  heathrow: hub('GBLHR', 'London Heathrow', [51.47, -0.45]),
  jfk: hub('USJFK', 'New York JFK', [40.64, -73.78]),
  chicago: hub('USCHI', 'Chicago', [41.98, -87.9]),
  lyon: hub('FRLIO', 'Lyon', [45.76, 4.84]),
  lille: hub('FRLLE', 'Lille', [50.63, 3.06]),
  milan: hub('ITMIL', 'Milan', [45.46, 9.19]),
  madrid: hub('ESMAD', 'Madrid', [40.42, -3.7]),
  warsaw: hub('PLWAW', 'Warsaw', [52.23, 21.01]),
  porto: hub('PTOPO', 'Porto', [41.15, -8.61]),
  munich: hub('DEMUC', 'Munich', [48.14, 11.58]),
  istanbul: hub('TRIST', 'Istanbul', [41.01, 28.98]),
  xian: hub('CNSIA', "Xi'an", [34.27, 108.95]),
  chongqing: hub('CNCKG', 'Chongqing', [29.56, 106.55]),
  duisburg: hub('DEDUI', 'Duisburg', [51.43, 6.76]),
  lodz: hub('PLLOD', 'Łódź', [51.76, 19.46]),
} as const satisfies Readonly<Record<string, Hub>>
