import type { Sayings } from './sayings-of.ts'

/** How an event is known: what looked, and why then (`report/provenance-words.ts`, `report/story-words.ts`). */
export const TOLD_PROOFS: Sayings = {
  'A page of {saidPass} showed it:': {
    de: 'Eine Seite von {saidPass} zeigte es:',
    fr: 'Une page de {saidPass} l’a montré :',
    nl: 'Een pagina van {saidPass} toonde het:',
    es: 'Una página de {saidPass} lo mostró:',
  },
  'pass {n} over {list} (begun at {instant})': {
    de: 'Durchgang {n} durch {list} (begonnen {instant})',
    fr: 'passage {n} sur {list} (commencé {instant})',
    nl: 'ronde {n} door {list} (begonnen {instant})',
    es: 'pasada {n} sobre {list} (empezada {instant})',
  },
  'A fetch by its id showed it:': {
    de: 'Ein Abruf nach Kennung zeigte es:',
    fr: 'Une lecture par identifiant l’a montré :',
    nl: 'Opvragen op id toonde het:',
    es: 'Una lectura por id lo mostró:',
  },
  'A fetch by its id:': {
    de: 'Ein Abruf nach Kennung:',
    fr: 'Une lecture par identifiant :',
    nl: 'Opgevraagd op id:',
    es: 'Una lectura por id:',
  },
  'A fetch by its id verified it:': {
    de: 'Ein Abruf nach Kennung bestätigte es:',
    fr: 'Une lecture par identifiant l’a vérifié :',
    nl: 'Opvragen op id bevestigde het:',
    es: 'Una lectura por id lo verificó:',
  },
  'Items of {list} that were read one by one showed it together.': {
    de: 'Einzeln gelesene Einträge von {list} zeigten es zusammen.',
    fr: 'Des éléments de {list} lus un à un l’ont montré ensemble.',
    nl: 'Een voor een gelezen items van {list} toonden het samen.',
    es: 'Elementos de {list} leídos uno a uno lo mostraron juntos.',
  },
  'Its estimate was held for as long as `settle` says, then rang without a further read.': {
    de: 'Die Schätzung wurde so lange gehalten, wie `settle` sagt, und dann ohne weitere Lesung gemeldet.',
    fr: 'L’estimation a été retenue aussi longtemps que le dit `settle`, puis signalée sans autre lecture.',
    nl: 'De schatting is vastgehouden zolang `settle` zegt, en dan gemeld zonder verdere lezing.',
    es: 'La estimación se retuvo lo que dice `settle` y luego se avisó sin otra lectura.',
  },
  'No read by itself showed it: it follows of what reads showed of several records.': {
    de: 'Keine Lesung allein zeigte es: Es folgt aus dem, was Lesungen von mehreren Datensätzen zeigten.',
    fr: 'Aucune lecture seule ne l’a montré : cela découle de ce que des lectures ont montré de plusieurs enregistrements.',
    nl: 'Geen lezing alleen toonde het: het volgt uit wat lezingen van meerdere records toonden.',
    es: 'Ninguna lectura por sí sola lo mostró: se deduce de lo que mostraron lecturas de varios registros.',
  },
  'This request showed it:': {
    de: 'Diese Anfrage zeigte es:',
    fr: 'Cette requête l’a montré :',
    nl: 'Dit verzoek toonde het:',
    es: 'Esta petición lo mostró:',
  },
  'These requests showed it:': {
    de: 'Diese Anfragen zeigten es:',
    fr: 'Ces requêtes l’ont montré :',
    nl: 'Deze verzoeken toonden het:',
    es: 'Estas peticiones lo mostraron:',
  },
  'The record was last read at {instant}.': {
    de: 'Der Datensatz wurde zuletzt {instant} gelesen.',
    fr: 'L’enregistrement a été lu pour la dernière fois {instant}.',
    nl: 'Het record is het laatst gelezen op {instant}.',
    es: 'El registro se leyó por última vez {instant}.',
  },
  'It was read then because nothing had been read of it before.': {
    de: 'Es wurde da gelesen, weil davon noch nichts gelesen war.',
    fr: 'Il a été lu alors parce que rien n’en avait été lu avant.',
    nl: 'Het is toen gelezen omdat er nog niets van gelezen was.',
    es: 'Se leyó entonces porque no se había leído nada antes.',
  },
  'It was read then because every page of its list is to be read every {length}.': {
    de: 'Es wurde da gelesen, weil jede Seite der Liste alle {length} zu lesen ist.',
    fr: 'Il a été lu alors parce que chaque page de sa liste doit être lue toutes les {length}.',
    nl: 'Het is toen gelezen omdat elke pagina van de lijst elke {length} te lezen is.',
    es: 'Se leyó entonces porque cada página de su lista se ha de leer cada {length}.',
  },
  'It was read then because it is to be read every {length}.': {
    de: 'Es wurde da gelesen, weil es alle {length} zu lesen ist.',
    fr: 'Il a été lu alors parce qu’il doit être lu toutes les {length}.',
    nl: 'Het is toen gelezen omdat het elke {length} te lezen is.',
    es: 'Se leyó entonces porque se ha de leer cada {length}.',
  },
  'It was read then because {n} changes were expected of {saidWhat} in the {length} since its last read, more than elsewhere.':
    {
      de: 'Es wurde da gelesen, weil in {length} seit der letzten Lesung {n} Änderungen {saidWhat} zu erwarten waren, mehr als anderswo.',
      fr: 'Il a été lu alors parce que {n} changements {saidWhat} étaient attendus en {length} depuis sa dernière lecture, plus qu’ailleurs.',
      nl: 'Het is toen gelezen omdat er in {length} sinds de vorige lezing {n} wijzigingen {saidWhat} te verwachten waren, meer dan elders.',
      es: 'Se leyó entonces porque se esperaban {n} cambios {saidWhat} en {length} desde su última lectura, más que en otros sitios.',
    },
  'It was read then because 1 change was expected of {saidWhat} in the {length} since its last read, more than elsewhere.':
    {
      de: 'Es wurde da gelesen, weil in {length} seit der letzten Lesung 1 Änderung {saidWhat} zu erwarten war, mehr als anderswo.',
      fr: 'Il a été lu alors parce que 1 changement {saidWhat} était attendu en {length} depuis sa dernière lecture, plus qu’ailleurs.',
      nl: 'Het is toen gelezen omdat er in {length} sinds de vorige lezing 1 wijziging {saidWhat} te verwachten was, meer dan elders.',
      es: 'Se leyó entonces porque se esperaba 1 cambio {saidWhat} en {length} desde su última lectura, más que en otros sitios.',
    },
  'It was read then because the row of its shipment had just changed.': {
    de: 'Es wurde da gelesen, weil sich die Zeile seiner Sendung gerade geändert hatte.',
    fr: 'Il a été lu alors parce que la ligne de son expédition venait de changer.',
    nl: 'Het is toen gelezen omdat de regel van de zending net gewijzigd was.',
    es: 'Se leyó entonces porque la fila de su envío acababa de cambiar.',
  },
  'It was read then because a command read everything.': {
    de: 'Es wurde da gelesen, weil ein Befehl alles las.',
    fr: 'Il a été lu alors parce qu’une commande a tout lu.',
    nl: 'Het is toen gelezen omdat een opdracht alles las.',
    es: 'Se leyó entonces porque una orden lo leyó todo.',
  },
  'It rang at {instant}.': {
    de: 'Gemeldet {instant}.',
    fr: 'Signalé {instant}.',
    nl: 'Gemeld op {instant}.',
    es: 'Se avisó {instant}.',
  },
  'It was first seen in an answer of {instant}; nothing was read of it before.': {
    de: 'Zuerst gesehen in einer Antwort von {instant}; davor war nichts davon gelesen.',
    fr: 'Vu d’abord dans une réponse du {instant} ; rien n’en avait été lu avant.',
    nl: 'Voor het eerst gezien in een antwoord van {instant}; daarvoor was er niets van gelezen.',
    es: 'Se vio primero en una respuesta de {instant}; antes no se había leído nada.',
  },
  'It was first seen in an answer of {instant}; the last read with the old value was sent at {before}.': {
    de: 'Zuerst gesehen in einer Antwort von {instant}; die letzte Lesung mit dem alten Wert wurde {before} gesendet.',
    fr: 'Vu d’abord dans une réponse du {instant} ; la dernière lecture avec l’ancienne valeur a été envoyée {before}.',
    nl: 'Voor het eerst gezien in een antwoord van {instant}; de laatste lezing met de oude waarde is verzonden op {before}.',
    es: 'Se vio primero en una respuesta de {instant}; la última lectura con el valor anterior se envió {before}.',
  },
  'It was first seen in an answer of {instant}; the last read that showed it was sent at {before}.': {
    de: 'Zuerst gesehen in einer Antwort von {instant}; die letzte Lesung, die es noch zeigte, wurde {before} gesendet.',
    fr: 'Vu d’abord dans une réponse du {instant} ; la dernière lecture qui le montrait a été envoyée {before}.',
    nl: 'Voor het eerst gezien in een antwoord van {instant}; de laatste lezing die het nog toonde is verzonden op {before}.',
    es: 'Se vio primero en una respuesta de {instant}; la última lectura que lo mostraba se envió {before}.',
  },
  'It was first seen in an answer of {instant}; the last read without it was sent at {before}.': {
    de: 'Zuerst gesehen in einer Antwort von {instant}; die letzte Lesung ohne es wurde {before} gesendet.',
    fr: 'Vu d’abord dans une réponse du {instant} ; la dernière lecture sans lui a été envoyée {before}.',
    nl: 'Voor het eerst gezien in een antwoord van {instant}; de laatste lezing zonder is verzonden op {before}.',
    es: 'Se vio primero en una respuesta de {instant}; la última lectura sin él se envió {before}.',
  },
  '`settle` held it between that answer and the request above, which let it ring.': {
    de: '`settle` hielt es zwischen jener Antwort und der Anfrage oben zurück, die es meldete.',
    fr: '`settle` l’a retenu entre cette réponse et la requête ci-dessus, qui l’a laissé signaler.',
    nl: '`settle` hield het vast tussen dat antwoord en het verzoek hierboven, dat het liet melden.',
    es: '`settle` lo retuvo entre esa respuesta y la petición de arriba, que lo dejó avisar.',
  },
  'this page': { de: 'an dieser Seite', fr: 'de cette page', nl: 'op deze pagina', es: 'de esta página' },
  it: { de: 'daran', fr: 'à son sujet', nl: 'ervan', es: 'de él' },
}
