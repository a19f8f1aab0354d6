import type { Sayings } from './sayings-of.ts'

/** How attempts and requests failed (`http/failure.ts`, `deliver/channels/judge-answer.ts`), and why nothing is sent (`report/endpoint.ts`). */
export const TOLD_FAILURES: Sayings = {
  '{server} answered {status}': {
    de: '{server} antwortete {status}',
    fr: '{server} a répondu {status}',
    nl: '{server} antwoordde {status}',
    es: '{server} respondió {status}',
  },
  '{server} answered {status}, a redirect to {host}; redirects are not followed, so the url must be the final one': {
    de: '{server} antwortete {status}, eine Weiterleitung zu {host}; Weiterleitungen wird nicht gefolgt, die Adresse muss also die endgültige sein',
    fr: '{server} a répondu {status}, une redirection vers {host} ; les redirections ne sont pas suivies, l’adresse doit donc être la finale',
    nl: '{server} antwoordde {status}, een omleiding naar {host}; omleidingen worden niet gevolgd, dus het adres moet het uiteindelijke zijn',
    es: '{server} respondió {status}, una redirección a {host}; las redirecciones no se siguen, así que la dirección debe ser la final',
  },
  '{server} answered {request} with {status}: {answer}': {
    de: '{server} antwortete auf {request} mit {status}: {answer}',
    fr: '{server} a répondu {status} à {request} : {answer}',
    nl: '{server} antwoordde op {request} met {status}: {answer}',
    es: '{server} respondió a {request} con {status}: {answer}',
  },
  '{server} did not answer within {length}': {
    de: '{server} antwortete nicht innerhalb von {length}',
    fr: '{server} n’a pas répondu en {length}',
    nl: '{server} antwoordde niet binnen {length}',
    es: '{server} no respondió en {length}',
  },
  '{server} refused the connection ({code})': {
    de: '{server} wies die Verbindung ab ({code})',
    fr: '{server} a refusé la connexion ({code})',
    nl: '{server} weigerde de verbinding ({code})',
    es: '{server} rechazó la conexión ({code})',
  },
  '{server} cannot be reached ({code})': {
    de: '{server} ist nicht erreichbar ({code})',
    fr: '{server} est injoignable ({code})',
    nl: '{server} is niet bereikbaar ({code})',
    es: 'No se puede llegar a {server} ({code})',
  },
  'The host name of {server} cannot be resolved ({code})': {
    de: 'Der Hostname von {server} lässt sich nicht auflösen ({code})',
    fr: 'Le nom d’hôte de {server} ne peut être résolu ({code})',
    nl: 'De hostnaam van {server} kan niet gevonden worden ({code})',
    es: 'No se puede resolver el nombre de host de {server} ({code})',
  },
  'Nothing was sent to {server}: {reason}': {
    de: 'An {server} wurde nichts gesendet: {reason}',
    fr: 'Rien n’a été envoyé à {server} : {reason}',
    nl: 'Naar {server} is niets gestuurd: {reason}',
    es: 'No se envió nada a {server}: {reason}',
  },
  '{server} closed the connection without an answer ({code})': {
    de: '{server} schloss die Verbindung ohne Antwort ({code})',
    fr: '{server} a fermé la connexion sans répondre ({code})',
    nl: '{server} sloot de verbinding zonder antwoord ({code})',
    es: '{server} cerró la conexión sin responder ({code})',
  },
  'The certificate of {server} is not valid ({code})': {
    de: 'Das Zertifikat von {server} ist nicht gültig ({code})',
    fr: 'Le certificat de {server} n’est pas valable ({code})',
    nl: 'Het certificaat van {server} is niet geldig ({code})',
    es: 'El certificado de {server} no es válido ({code})',
  },
  'It is disabled: {said}.': {
    de: 'Es ist deaktiviert: {said}.',
    fr: 'Il est désactivé : {said}.',
    nl: 'Het is uitgeschakeld: {said}.',
    es: 'Está desactivada: {said}.',
  },
  'It is not verified: no test of it was answered with 2xx yet.': {
    de: 'Es ist nicht geprüft: Noch kein Test wurde mit 2xx beantwortet.',
    fr: 'Il n’est pas vérifié : aucun test n’a encore reçu de réponse 2xx.',
    nl: 'Het is niet geverifieerd: nog geen test is met 2xx beantwoord.',
    es: 'No está verificada: ninguna prueba ha recibido aún una respuesta 2xx.',
  },
  'It is not in the configuration.': {
    de: 'Es steht nicht in der Konfiguration.',
    fr: 'Il n’est pas dans la configuration.',
    nl: 'Het staat niet in de configuratie.',
    es: 'No está en la configuración.',
  },
  'It is disabled in the configuration (enabled: false).': {
    de: 'Es ist in der Konfiguration deaktiviert (enabled: false).',
    fr: 'Il est désactivé dans la configuration (enabled: false).',
    nl: 'Het is in de configuratie uitgeschakeld (enabled: false).',
    es: 'Está desactivada en la configuración (enabled: false).',
  },
  'nobody changed it within `runtime_subscriptions.ttl`: a PATCH renews it': {
    de: 'Niemand änderte es innerhalb von `runtime_subscriptions.ttl`: Ein PATCH erneuert es',
    fr: 'personne ne l’a modifié pendant `runtime_subscriptions.ttl` : un PATCH le renouvelle',
    nl: 'niemand wijzigde het binnen `runtime_subscriptions.ttl`: een PATCH vernieuwt het',
    es: 'nadie la cambió dentro de `runtime_subscriptions.ttl`: un PATCH la renueva',
  },
  '{name} failed {n} times in a row: it is tried with one event at once, and the others go as soon as it takes one.': {
    de: '{name} schlug {n}-mal hintereinander fehl: Es wird mit einem Ereignis versucht, und die anderen folgen, sobald eines angenommen ist.',
    fr: '{name} a échoué {n} fois de suite : un seul événement est essayé, et les autres suivent dès qu’il en prend un.',
    nl: '{name} faalde {n} keer achter elkaar: er wordt één gebeurtenis geprobeerd, en de andere volgen zodra die aangenomen is.',
    es: '{name} falló {n} veces seguidas: se prueba con un evento, y los demás van en cuanto acepte uno.',
  },
  '{name} is disabled in the configuration: its events are held.': {
    de: '{name} ist in der Konfiguration deaktiviert: Seine Ereignisse werden zurückgehalten.',
    fr: '{name} est désactivé dans la configuration : ses événements sont retenus.',
    nl: '{name} is in de configuratie uitgeschakeld: de gebeurtenissen worden vastgehouden.',
    es: '{name} está desactivada en la configuración: sus eventos se retienen.',
  },
  '{name} is disabled: its events are held until {command}.': {
    de: '{name} ist deaktiviert: Seine Ereignisse werden zurückgehalten, bis {command}.',
    fr: '{name} est désactivé : ses événements sont retenus jusqu’à {command}.',
    nl: '{name} is uitgeschakeld: de gebeurtenissen worden vastgehouden tot {command}.',
    es: '{name} está desactivada: sus eventos se retienen hasta {command}.',
  },
  'There is no subscription {name}.': {
    de: 'Es gibt kein Abonnement {name}.',
    fr: 'Il n’y a pas d’abonnement {name}.',
    nl: 'Er is geen abonnement {name}.',
    es: 'No hay ninguna suscripción {name}.',
  },
  'There is no account {name}.': {
    de: 'Es gibt kein Konto {name}.',
    fr: 'Il n’y a pas de compte {name}.',
    nl: 'Er is geen account {name}.',
    es: 'No hay ninguna cuenta {name}.',
  },
  'There is no event {id}.': {
    de: 'Es gibt kein Ereignis {id}.',
    fr: 'Il n’y a pas d’événement {id}.',
    nl: 'Er is geen gebeurtenis {id}.',
    es: 'No hay ningún evento {id}.',
  },
  'The payload of {id} has expired: there is nothing left to show.': {
    de: 'Der Inhalt von {id} ist abgelaufen: Es gibt nichts mehr zu zeigen.',
    fr: 'Le contenu de {id} a expiré : il n’y a plus rien à montrer.',
    nl: 'De inhoud van {id} is verlopen: er is niets meer te tonen.',
    es: 'El contenido de {id} ha caducado: no queda nada que mostrar.',
  },
  'You can look, and change nothing: sign in with `http.token`.': {
    de: 'Sie können alles ansehen und nichts ändern: Melden Sie sich mit `http.token` an.',
    fr: 'Vous pouvez consulter, sans rien modifier : connectez-vous avec `http.token`.',
    nl: 'U kunt kijken, maar niets wijzigen: meld u aan met `http.token`.',
    es: 'Puede consultar, sin cambiar nada: inicie sesión con `http.token`.',
  },
}
