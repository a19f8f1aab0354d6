import type { Sayings } from './sayings-of.ts'

/** What the search says. */
export const SEARCH_SAYINGS: Sayings = {
  Found: { de: 'Gefunden', fr: 'Trouvé', nl: 'Gevonden', es: 'Encontrado' },
  'Found records': {
    de: 'Gefundene Datensätze',
    fr: 'Enregistrements trouvés',
    nl: 'Gevonden records',
    es: 'Registros encontrados',
  },
  Record: { de: 'Datensatz', fr: 'Enregistrement', nl: 'Record', es: 'Registro' },
  'Found by': { de: 'Gefunden über', fr: 'Trouvé par', nl: 'Gevonden op', es: 'Encontrado por' },
  'Ids, names, orders, containers, bills, references, carriers, vessels and ports. All words have to be found; three characters of one are enough, wherever they stand in it.':
    {
      de: 'Ids, Namen, Bestellungen, Container, Frachtbriefe, Referenzen, Frachtführer, Schiffe und Häfen. Alle Wörter müssen vorkommen; drei Zeichen eines Wortes genügen, wo immer sie darin stehen.',
      fr: 'Ids, noms, commandes, conteneurs, connaissements, références, transporteurs, navires et ports. Tous les mots doivent être trouvés ; trois caractères d’un mot suffisent, où qu’ils s’y trouvent.',
      nl: 'Ids, namen, inkooporders, containers, vrachtbrieven, referenties, vervoerders, schepen en havens. Alle woorden moeten voorkomen; drie tekens van een woord zijn genoeg, waar ze ook staan.',
      es: 'Ids, nombres, pedidos, contenedores, conocimientos, referencias, transportistas, buques y puertos. Deben encontrarse todas las palabras; bastan tres caracteres de una, estén donde estén.',
    },
  'None of the records that were looked at so far. {next} looks on.': {
    de: 'Keiner der bisher angesehenen Datensätze. {next} sucht weiter.',
    fr: 'Aucun des enregistrements examinés jusqu’ici. {next} poursuit la recherche.',
    nl: 'Geen van de tot nu toe bekeken records. {next} zoekt verder.',
    es: 'Ninguno de los registros vistos hasta ahora. {next} sigue buscando.',
  },
  'Nothing has all of these words. Try fewer of them, or a part of one: three characters of an id, a name, an order, a container, a bill, a carrier, a vessel or a port are enough. Two or one are looked for only where one of these begins.':
    {
      de: 'Nichts enthält alle diese Wörter. Versuchen Sie weniger davon oder einen Teil: Drei Zeichen einer Id, eines Namens, einer Bestellung, eines Containers, eines Frachtbriefs, eines Frachtführers, eines Schiffs oder eines Hafens genügen. Zwei oder eines werden nur am Anfang davon gesucht.',
      fr: 'Rien ne contient tous ces mots. Essayez-en moins, ou une partie : trois caractères d’un id, d’un nom, d’une commande, d’un conteneur, d’un connaissement, d’un transporteur, d’un navire ou d’un port suffisent. Un ou deux ne sont cherchés qu’à leur début.',
      nl: 'Niets heeft al deze woorden. Probeer er minder, of een deel: drie tekens van een id, een naam, een inkooporder, een container, een vrachtbrief, een vervoerder, een schip of een haven zijn genoeg. Eén of twee worden alleen aan het begin ervan gezocht.',
      es: 'Nada contiene todas estas palabras. Pruebe con menos, o con una parte: bastan tres caracteres de un id, un nombre, un pedido, un contenedor, un conocimiento, un transportista, un buque o un puerto. Uno o dos solo se buscan donde comienza alguno de ellos.',
    },
  'Shanghai Maersk, PO-77, MSCU…': {
    de: 'Shanghai Maersk, PO-77, MSCU…',
    fr: 'Shanghai Maersk, PO-77, MSCU…',
    nl: 'Shanghai Maersk, PO-77, MSCU…',
    es: 'Shanghai Maersk, PO-77, MSCU…',
  },
  Id: { de: 'Id', fr: 'Id', nl: 'Id', es: 'Id' },
  'Master bill': {
    de: 'Master-Frachtbrief',
    fr: 'Connaissement master',
    nl: 'Master-vrachtbrief',
    es: 'Conocimiento máster',
  },
  'House bill': {
    de: 'House-Frachtbrief',
    fr: 'Connaissement house',
    nl: 'House-vrachtbrief',
    es: 'Conocimiento house',
  },
  Booking: { de: 'Buchung', fr: 'Réservation', nl: 'Boeking', es: 'Reserva' },
  Quote: { de: 'Angebot', fr: 'Devis', nl: 'Offerte', es: 'Cotización' },
  Vessel: { de: 'Schiff', fr: 'Navire', nl: 'Schip', es: 'Buque' },
  'From|port': { de: 'Von', fr: 'De', nl: 'Van', es: 'De' },
  'To|port': { de: 'Nach', fr: 'Vers', nl: 'Naar', es: 'A' },
}
