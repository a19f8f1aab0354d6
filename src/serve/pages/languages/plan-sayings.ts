import type { Sayings } from './sayings-of.ts'

/** What the plan says beside what `report` says of it. */
export const PLAN_SAYINGS: Sayings = {
  'in all': { de: 'zusammen', fr: 'en tout', nl: 'samen', es: 'en total' },
  'what the promises would take: {n} an hour': {
    de: 'was die Zusagen brauchten: {n} je Stunde',
    fr: 'ce que prendraient les engagements : {n} par heure',
    nl: 'wat de toezeggingen zouden kosten: {n} per uur',
    es: 'lo que tomarían las promesas: {n} por hora',
  },
  'to keep the promises': {
    de: 'um die Zusagen zu halten',
    fr: 'pour tenir les engagements',
    nl: 'om de toezeggingen te houden',
    es: 'para cumplir las promesas',
  },
  'where change is likely': {
    de: 'wo Änderungen wahrscheinlich sind',
    fr: 'là où un changement est probable',
    nl: 'waar verandering waarschijnlijk is',
    es: 'donde es probable un cambio',
  },
  'what may be sent: {n} an hour': {
    de: 'was gesendet werden darf: {n} je Stunde',
    fr: 'ce qui peut être envoyé : {n} par heure',
    nl: 'wat verzonden mag worden: {n} per uur',
    es: 'lo que se puede enviar: {n} por hora',
  },
  'the budget, of which the platform bears {part}': {
    de: 'das Budget, wovon die Plattform {part} trägt',
    fr: 'le budget, dont la plateforme supporte {part}',
    nl: 'het budget, waarvan het platform {part} aankan',
    es: 'el presupuesto, del que la plataforma soporta {part}',
  },
  'No account is configured: there is nothing to read.': {
    de: 'Kein Konto ist konfiguriert: Es gibt nichts zu lesen.',
    fr: 'Aucun compte n’est configuré : il n’y a rien à lire.',
    nl: 'Geen account is ingesteld: er is niets te lezen.',
    es: 'No hay ninguna cuenta configurada: no hay nada que leer.',
  },
  account: { de: 'Konto', fr: 'compte', nl: 'account', es: 'cuenta' },
  'Nothing is watched: it takes no request.': {
    de: 'Nichts wird beobachtet: Es braucht keine Anfrage.',
    fr: 'Rien n’est surveillé : aucune requête n’est nécessaire.',
    nl: 'Niets wordt gevolgd: het kost geen verzoek.',
    es: 'No se vigila nada: no requiere peticiones.',
  },
  'The numbers': { de: 'Die Zahlen', fr: 'Les chiffres', nl: 'De getallen', es: 'Los números' },
  'Nothing is watched.': {
    de: 'Nichts wird beobachtet.',
    fr: 'Rien n’est surveillé.',
    nl: 'Niets wordt gevolgd.',
    es: 'No se vigila nada.',
  },
  'all promises fit': {
    de: 'alle Zusagen passen',
    fr: 'tous les engagements tiennent',
    nl: 'alle toezeggingen passen',
    es: 'todas las promesas caben',
  },
  'not all promises fit': {
    de: 'nicht alle Zusagen passen',
    fr: 'tous les engagements ne tiennent pas',
    nl: 'niet alle toezeggingen passen',
    es: 'no todas las promesas caben',
  },
  'What is read how often': {
    de: 'Was wie oft gelesen wird',
    fr: 'Ce qui est lu, et à quelle fréquence',
    nl: 'Wat hoe vaak gelezen wordt',
    es: 'Qué se lee y con qué frecuencia',
  },
  'Promised every': { de: 'Zugesagt alle', fr: 'Promis toutes les', nl: 'Toegezegd elke', es: 'Prometido cada' },
  'Kept every': { de: 'Gehalten alle', fr: 'Tenu toutes les', nl: 'Gehouden elke', es: 'Cumplido cada' },
  'To read': { de: 'Zu lesen', fr: 'À lire', nl: 'Te lezen', es: 'Por leer' },
  'Requests an hour': {
    de: 'Anfragen je Stunde',
    fr: 'Requêtes par heure',
    nl: 'Verzoeken per uur',
    es: 'Peticiones por hora',
  },
  'Of which promised': {
    de: 'Davon zugesagt',
    fr: 'Dont promises',
    nl: 'Waarvan toegezegd',
    es: 'De ellas, prometidas',
  },
  'Read every': { de: 'Gelesen alle', fr: 'Lu toutes les', nl: 'Gelezen elke', es: 'Leído cada' },
  'Mean delay': { de: 'Mittlere Verzögerung', fr: 'Délai moyen', nl: 'Gemiddelde vertraging', es: 'Retraso medio' },
  '95 % within': { de: '95 % innerhalb', fr: '95 % en', nl: '95 % binnen', es: '95 % en' },
}
