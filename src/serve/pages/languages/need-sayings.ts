import type { Sayings } from './sayings-of.ts'

/** What kinds of needs Shipbell itself has, and what pages offer against each. */
export const NEED_SAYINGS: Sayings = {
  'not running': { de: 'läuft nicht', fr: 'ne tourne pas', nl: 'draait niet', es: 'parado' },
  'configuration rejected': {
    de: 'Konfiguration abgewiesen',
    fr: 'configuration rejetée',
    nl: 'configuratie afgewezen',
    es: 'configuración rechazada',
  },
  'restart needed': {
    de: 'Neustart nötig',
    fr: 'redémarrage nécessaire',
    nl: 'herstart nodig',
    es: 'hace falta reiniciar',
  },
  'store begun anew': {
    de: 'Speicher neu begonnen',
    fr: 'stockage recommencé',
    nl: 'opslag opnieuw begonnen',
    es: 'almacén empezado de nuevo',
  },
  stalled: { de: 'stockt', fr: 'bloqué', nl: 'stokt', es: 'atascado' },
  'own limit': { de: 'eigene Grenze', fr: 'limite propre', nl: 'eigen grens', es: 'límite propio' },
  'key refused': { de: 'Schlüssel abgewiesen', fr: 'clé refusée', nl: 'sleutel geweigerd', es: 'clave rechazada' },
  'not read whole': {
    de: 'nicht ganz gelesen',
    fr: 'pas lue en entier',
    nl: 'niet helemaal gelezen',
    es: 'no leída entera',
  },
  'removals held': {
    de: 'Entfernungen zurückgehalten',
    fr: 'suppressions retenues',
    nl: 'verwijderingen vastgehouden',
    es: 'eliminaciones retenidas',
  },
  'not delivered': { de: 'nicht zugestellt', fr: 'non livré', nl: 'niet afgeleverd', es: 'sin entregar' },
  'not taken': { de: 'nicht abgeholt', fr: 'non pris', nl: 'niet opgehaald', es: 'sin recoger' },
  'does not fit': { de: 'passt nicht', fr: 'ne tient pas', nl: 'past niet', es: 'no cabe' },
  quarantine: { de: 'Quarantäne', fr: 'quarantaine', nl: 'quarantaine', es: 'cuarentena' },
  'rule fails': { de: 'Regel schlägt fehl', fr: 'règle en échec', nl: 'regel faalt', es: 'falla una regla' },
  'Look at the platform, then accept or reject them on the page of the account.': {
    de: 'Sehen Sie auf der Plattform nach, dann nehmen Sie sie auf der Seite des Kontos an oder lehnen sie ab.',
    fr: 'Regardez sur la plateforme, puis acceptez-les ou rejetez-les sur la page du compte.',
    nl: 'Kijk op het platform, en aanvaard of wijs ze dan af op de pagina van de account.',
    es: 'Mire la plataforma y después acéptelas o rechácelas en la página de la cuenta.',
  },
  'Once it works again, enable it on its page.': {
    de: 'Sobald es wieder geht, aktivieren Sie es auf seiner Seite.',
    fr: 'Dès que cela refonctionne, activez-le sur sa page.',
    nl: 'Schakel het in op zijn pagina zodra het weer werkt.',
    es: 'Cuando vuelva a funcionar, actívela en su página.',
  },
  'See on its page what was answered. Mend it, then send a test from there.': {
    de: 'Sehen Sie auf seiner Seite, was geantwortet wurde. Beheben Sie es, und senden Sie von dort einen Test.',
    fr: 'Voyez sur sa page ce qui a été répondu. Réparez, puis envoyez un test de là.',
    nl: 'Bekijk op zijn pagina wat er geantwoord is. Herstel het, en stuur van daar een test.',
    es: 'Vea en su página lo que se respondió. Arréglelo y envíe una prueba desde allí.',
  },
  'Once it works again, retry them on its page.': {
    de: 'Sobald es wieder geht, senden Sie sie auf seiner Seite noch einmal.',
    fr: 'Dès que cela refonctionne, renvoyez-les sur sa page.',
    nl: 'Verzend ze opnieuw op zijn pagina zodra het weer werkt.',
    es: 'Cuando vuelva a funcionar, reinténtelas en su página.',
  },
  'The page of the account shows how its platform answers.': {
    de: 'Die Seite des Kontos zeigt, wie die Plattform antwortet.',
    fr: 'La page du compte montre comment sa plateforme répond.',
    nl: 'De pagina van de account toont hoe het platform antwoordt.',
    es: 'La página de la cuenta muestra cómo responde su plataforma.',
  },
  'The plan shows what would fit.': {
    de: 'Der Plan zeigt, was passen würde.',
    fr: 'Le plan montre ce qui conviendrait.',
    nl: 'Het plan toont wat zou passen.',
    es: 'El plan muestra lo que cabría.',
  },
  'old rows': { de: 'alte Zeilen', fr: 'lignes anciennes', nl: 'oude regels', es: 'filas antiguas' },
}
