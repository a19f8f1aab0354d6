import type { Sayings } from './sayings-of.ts'

/** What fields may hold, and what facts say of a subscription. */
export const TOLD_FIELDS: Sayings = {
  'It must be two ports, such as CNSHA-FRFOS or Shanghai - Rotterdam.': {
    de: 'Nötig sind zwei Häfen, etwa CNSHA-FRFOS oder Shanghai - Rotterdam.',
    fr: 'Il faut deux ports, par exemple CNSHA-FRFOS ou Shanghai - Rotterdam.',
    nl: 'Nodig zijn twee havens, zoals CNSHA-FRFOS of Shanghai - Rotterdam.',
    es: 'Deben ser dos puertos, como CNSHA-FRFOS o Shanghai - Rotterdam.',
  },
  'It must be one of {sorts}, - before it for the other way.': {
    de: 'Möglich sind {sorts}, mit - davor andersherum.',
    fr: 'Valeurs possibles : {sorts}, précédées de - pour l’ordre inverse.',
    nl: 'Mogelijk zijn {sorts}, met - ervoor andersom.',
    es: 'Debe ser uno de {sorts}, con - delante para el orden inverso.',
  },
  'It must be overdue, any, or a number of days such as 7d.': {
    de: 'Möglich sind overdue, any oder eine Anzahl von Tagen wie 7d.',
    fr: 'Valeurs possibles : overdue, any ou un nombre de jours comme 7d.',
    nl: 'Mogelijk zijn overdue, any of een aantal dagen zoals 7d.',
    es: 'Debe ser overdue, any o un número de días como 7d.',
  },
  'It must be a text of at most {n} characters.': {
    de: 'Nötig ist ein Text von höchstens {n} Zeichen.',
    fr: 'Il faut un texte d’au plus {n} caractères.',
    nl: 'Nodig is een tekst van hoogstens {n} tekens.',
    es: 'Debe ser un texto de {n} caracteres como máximo.',
  },
  'It must be a mode, such as air, ocean, rail or truck.': {
    de: 'Nötig ist ein Verkehrsträger, etwa air, ocean, rail oder truck.',
    fr: 'Il faut un mode, par exemple air, ocean, rail ou truck.',
    nl: 'Nodig is een vervoerswijze, zoals air, ocean, rail of truck.',
    es: 'Debe ser un modo, como air, ocean, rail o truck.',
  },
  'It must be true or false.': {
    de: 'Möglich sind true oder false.',
    fr: 'Valeurs possibles : true ou false.',
    nl: 'Mogelijk zijn true of false.',
    es: 'Debe ser true o false.',
  },
  'It must be a date such as 2026-12-31.': {
    de: 'Nötig ist ein Datum wie 2026-12-31.',
    fr: 'Il faut une date comme 2026-12-31.',
    nl: 'Nodig is een datum zoals 2026-12-31.',
    es: 'Debe ser una fecha como 2026-12-31.',
  },
  'It says nothing of {list}.': {
    de: 'Es sagt nichts über {list}.',
    fr: 'Cela ne dit rien de : {list}.',
    nl: 'Het zegt niets over {list}.',
    es: 'No dice nada de: {list}.',
  },
  'It must be the name of an account.': {
    de: 'Nötig ist der Name eines Kontos.',
    fr: 'Il faut le nom d’un compte.',
    nl: 'Nodig is de naam van een account.',
    es: 'Debe ser el nombre de una cuenta.',
  },
  nothing: {
    de: 'nichts',
    fr: 'rien',
    nl: 'niets',
    es: 'nada',
  },
  'one secret': {
    de: 'einem Geheimnis',
    fr: 'un secret',
    nl: 'één geheim',
    es: 'un secreto',
  },
  '{n} secrets': {
    de: '{n} Geheimnissen',
    fr: '{n} secrets',
    nl: '{n} geheimen',
    es: '{n} secretos',
  },
  'The endpoint': {
    de: 'Der Endpunkt',
    fr: 'Le point de réception',
    nl: 'Het eindpunt',
    es: 'El punto de recepción',
  },
}
