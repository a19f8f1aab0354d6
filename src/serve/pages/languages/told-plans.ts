import type { Sayings } from './sayings-of.ts'

/** What a plan says of budgets and promises (`report/plan-words.ts`). */
export const TOLD_PLANS: Sayings = {
  '{requests} requests per {length}, {saidRest}': {
    de: '{requests} Anfragen je {length}, {saidRest}',
    fr: '{requests} requêtes par {length}, {saidRest}',
    nl: '{requests} verzoeken per {length}, {saidRest}',
    es: '{requests} peticiones por {length}, {saidRest}',
  },
  '1 request per {length}, {saidRest}': {
    de: '1 Anfrage je {length}, {saidRest}',
    fr: '1 requête par {length}, {saidRest}',
    nl: '1 verzoek per {length}, {saidRest}',
    es: '1 petición por {length}, {saidRest}',
  },
  '{part} of it, {saidRest}': {
    de: '{part} davon, {saidRest}',
    fr: '{part} de cela, {saidRest}',
    nl: '{part} daarvan, {saidRest}',
    es: '{part} de ello, {saidRest}',
  },
  'shared by {n} accounts of one key, {saidRest}': {
    de: 'geteilt von {n} Konten mit einem Schlüssel, {saidRest}',
    fr: 'partagées par {n} comptes d’une même clé, {saidRest}',
    nl: 'gedeeld door {n} accounts met één sleutel, {saidRest}',
    es: 'compartidas por {n} cuentas de una misma clave, {saidRest}',
  },
  'of which the platform bears {part}, {saidRest}': {
    de: 'wovon die Plattform {part} trägt, {saidRest}',
    fr: 'dont la plateforme supporte {part}, {saidRest}',
    nl: 'waarvan het platform {part} aankan, {saidRest}',
    es: 'de las que la plataforma soporta {part}, {saidRest}',
  },
  'so {n} an hour': {
    de: 'also {n} je Stunde',
    fr: 'soit {n} par heure',
    nl: 'dus {n} per uur',
    es: 'o sea, {n} por hora',
  },
  '1 page': { de: '1 Seite', fr: '1 page', nl: '1 pagina', es: '1 página' },
  '{n} pages': { de: '{n} Seiten', fr: '{n} pages', nl: '{n} pagina’s', es: '{n} páginas' },
  '1 item': { de: '1 Abruf', fr: '1 élément', nl: '1 item', es: '1 elemento' },
  '{n} items': { de: '{n} Abrufe', fr: '{n} éléments', nl: '{n} items', es: '{n} elementos' },
  'The key may not read {list}, so that promise is not kept: {said} It is asked for every 15m at most.': {
    de: 'Der Schlüssel darf {list} nicht lesen, darum wird diese Zusage nicht gehalten: {said} Gefragt wird höchstens alle 15m.',
    fr: 'La clé ne peut pas lire {list}, cet engagement n’est donc pas tenu : {said} Une demande est faite toutes les 15m au plus.',
    nl: 'De sleutel mag {list} niet lezen, dus wordt die toezegging niet gehouden: {said} Er wordt hooguit elke 15m gevraagd.',
    es: 'La clave no puede leer {list}, así que esa promesa no se cumple: {said} Se pide cada 15m como mucho.',
  },
  'The platform refused more than {part} of the budget at {instant}; it is asked for more again little by little.': {
    de: 'Die Plattform wies um {instant} mehr als {part} des Budgets ab; nach und nach wird wieder mehr gefragt.',
    fr: 'La plateforme a refusé plus de {part} du budget le {instant} ; on lui en redemande peu à peu.',
    nl: 'Het platform weigerde op {instant} meer dan {part} van het budget; er wordt beetje bij beetje weer meer gevraagd.',
    es: 'La plataforma rechazó más del {part} del presupuesto el {instant}; se le vuelve a pedir más poco a poco.',
  },
  'Nothing is known yet of {lists}: it goes by the configuration, one page for each list. Ask again after the first pass.':
    {
      de: 'Von {lists} ist noch nichts bekannt: Es gilt die Konfiguration, eine Seite je Liste. Fragen Sie nach dem ersten Durchgang noch einmal.',
      fr: 'Rien n’est encore connu de {lists} : on suit la configuration, une page par liste. Redemandez après le premier passage.',
      nl: 'Van {lists} is nog niets bekend: de configuratie geldt, één pagina per lijst. Vraag het na de eerste ronde opnieuw.',
      es: 'Aún no se sabe nada de {lists}: se sigue la configuración, una página por lista. Pregunte de nuevo tras la primera pasada.',
    },
  'Nothing is known yet of this account: this goes by the configuration, one page for each list. Ask again after the first pass.':
    {
      de: 'Von diesem Konto ist noch nichts bekannt: Es gilt die Konfiguration, eine Seite je Liste. Fragen Sie nach dem ersten Durchgang noch einmal.',
      fr: 'Rien n’est encore connu de ce compte : on suit la configuration, une page par liste. Redemandez après le premier passage.',
      nl: 'Van dit account is nog niets bekend: de configuratie geldt, één pagina per lijst. Vraag het na de eerste ronde opnieuw.',
      es: 'Aún no se sabe nada de esta cuenta: se sigue la configuración, una página por lista. Pregunte de nuevo tras la primera pasada.',
    },
  'The promises fit: they take {n} of {all} requests an hour. What is left goes where change is likely.': {
    de: 'Die Zusagen passen: Sie brauchen {n} von {all} Anfragen je Stunde. Der Rest geht dorthin, wo Änderungen wahrscheinlich sind.',
    fr: 'Les engagements tiennent : ils prennent {n} requêtes sur {all} par heure. Le reste va là où un changement est probable.',
    nl: 'De toezeggingen passen: ze kosten {n} van {all} verzoeken per uur. De rest gaat waar verandering waarschijnlijk is.',
    es: 'Las promesas caben: toman {n} de {all} peticiones por hora. El resto va donde es probable un cambio.',
  },
  'The promises do not fit: they take {n} of {all} requests an hour. What is kept: {kept}.': {
    de: 'Die Zusagen passen nicht: Sie brauchen {n} von {all} Anfragen je Stunde. Was gehalten wird: {kept}.',
    fr: 'Les engagements ne tiennent pas : ils prennent {n} requêtes pour {all} par heure. Ce qui est tenu : {kept}.',
    nl: 'De toezeggingen passen niet: ze kosten {n} van {all} verzoeken per uur. Wat gehouden wordt: {kept}.',
    es: 'Las promesas no caben: toman {n} de {all} peticiones por hora. Lo que se cumple: {kept}.',
  },
  'What would fit: {remedies}.': {
    de: 'Was passen würde: {remedies}.',
    fr: 'Ce qui conviendrait : {remedies}.',
    nl: 'Wat zou passen: {remedies}.',
    es: 'Lo que cabría: {remedies}.',
  },
  'none sampled lately': {
    de: 'in letzter Zeit keine geprüft',
    fr: 'aucun vérifié récemment',
    nl: 'de laatste tijd geen gecontroleerd',
    es: 'ninguno comprobado últimamente',
  },
  '{n} of {all} differed; at most {part} with 95 % confidence': {
    de: '{n} von {all} wichen ab; höchstens {part} bei 95 % Sicherheit',
    fr: '{n} sur {all} différaient ; au plus {part} avec 95 % de confiance',
    nl: '{n} van {all} weken af; hooguit {part} met 95 % zekerheid',
    es: '{n} de {all} diferían; como mucho {part} con un 95 % de confianza',
  },
  'At most {n} requests an hour of what is left fetch sampled records by id, to see whether their lists show them as they are (`audit`).':
    {
      de: 'Höchstens {n} der übrigen Anfragen je Stunde holen Stichproben nach Kennung, um zu sehen, ob ihre Listen sie zeigen, wie sie sind (`audit`).',
      fr: 'Au plus {n} des requêtes restantes par heure lisent des échantillons par identifiant, pour voir si leurs listes les montrent tels quels (`audit`).',
      nl: 'Hooguit {n} van de overige verzoeken per uur halen steekproeven op id op, om te zien of hun lijsten ze tonen zoals ze zijn (`audit`).',
      es: 'Como mucho {n} de las peticiones restantes por hora leen muestras por id, para ver si sus listas las muestran como son (`audit`).',
    },
}
