import type { Sayings } from './sayings-of.ts'

/** What to do about deliveries that fail (`report/remedy.ts`). */
export const TOLD_REMEDIES: Sayings = {
  'Put the login that it wants into the address of the proxy: `proxy` of `{name}`, or of `smtp`.': {
    de: 'Setzen Sie die verlangte Anmeldung in die Adresse des Proxys: `proxy` von `{name}` oder von `smtp`.',
    fr: 'Mettez l’identification qu’il demande dans l’adresse du proxy : `proxy` de `{name}`, ou de `smtp`.',
    nl: 'Zet de gevraagde aanmelding in het adres van de proxy: `proxy` van `{name}`, of van `smtp`.',
    es: 'Ponga las credenciales que pide en la dirección del proxy: `proxy` de `{name}`, o de `smtp`.',
  },
  'Ask who runs the proxy to allow that host and port.': {
    de: 'Bitten Sie, wer den Proxy betreibt, diesen Host und Port zu erlauben.',
    fr: 'Demandez à qui gère le proxy d’autoriser cet hôte et ce port.',
    nl: 'Vraag wie de proxy beheert om die host en poort toe te staan.',
    es: 'Pida a quien gestiona el proxy que permita ese host y ese puerto.',
  },
  "Look at the proxy's log, and whether the host name is known where it runs.": {
    de: 'Sehen Sie in das Log des Proxys, und ob der Hostname dort bekannt ist, wo er läuft.',
    fr: 'Consultez le journal du proxy, et vérifiez que le nom d’hôte est connu là où il tourne.',
    nl: 'Bekijk het log van de proxy, en of de hostnaam bekend is waar die draait.',
    es: 'Mire el registro del proxy, y si el nombre del host se conoce donde se ejecuta.',
  },
  'Correct the address of the proxy, `proxy` of `{name}` or of `smtp`, or look why it does not work.': {
    de: 'Berichtigen Sie die Adresse des Proxys, `proxy` von `{name}` oder von `smtp`, oder sehen Sie nach, warum er nicht arbeitet.',
    fr: 'Corrigez l’adresse du proxy, `proxy` de `{name}` ou de `smtp`, ou voyez pourquoi il ne fonctionne pas.',
    nl: 'Verbeter het adres van de proxy, `proxy` van `{name}` of van `smtp`, of kijk waarom die niet werkt.',
    es: 'Corrija la dirección del proxy, `proxy` de `{name}` o de `smtp`, o mire por qué no funciona.',
  },
  'Shipbell dials no private address by itself: correct the address of `{name}`, or name its network in `delivery.allow_networks`.':
    {
      de: 'Shipbell wählt von sich aus keine private Adresse an: Berichtigen Sie die Adresse von `{name}`, oder nennen Sie ihr Netz in `delivery.allow_networks`.',
      fr: 'Shipbell n’appelle de lui-même aucune adresse privée : corrigez l’adresse de `{name}`, ou nommez son réseau dans `delivery.allow_networks`.',
      nl: 'Shipbell belt uit zichzelf geen privé-adres: verbeter het adres van `{name}`, of noem het netwerk in `delivery.allow_networks`.',
      es: 'Shipbell no llama por sí mismo a direcciones privadas: corrija la dirección de `{name}`, o nombre su red en `delivery.allow_networks`.',
    },
  'Its host name has no address: correct the address of `{name}`, or mend the DNS that this machine asks.': {
    de: 'Der Hostname hat keine Adresse: Berichtigen Sie die Adresse von `{name}`, oder richten Sie das DNS, das dieser Rechner fragt.',
    fr: 'Son nom d’hôte n’a pas d’adresse : corrigez l’adresse de `{name}`, ou réparez le DNS que cette machine interroge.',
    nl: 'De hostnaam heeft geen adres: verbeter het adres van `{name}`, of herstel de DNS die deze machine vraagt.',
    es: 'Su nombre de host no tiene dirección: corrija la dirección de `{name}`, o repare el DNS que consulta esta máquina.',
  },
  'Nothing listens there: start the receiver, or correct the port in the address of `{name}`.': {
    de: 'Dort hört niemand: Starten Sie den Empfänger, oder berichtigen Sie den Port in der Adresse von `{name}`.',
    fr: 'Rien n’écoute là : démarrez le destinataire, ou corrigez le port dans l’adresse de `{name}`.',
    nl: 'Daar luistert niets: start de ontvanger, of verbeter de poort in het adres van `{name}`.',
    es: 'Nadie escucha allí: arranque el receptor, o corrija el puerto en la dirección de `{name}`.',
  },
  'The receiver needs a new certificate; until then nothing is sent there.': {
    de: 'Der Empfänger braucht ein neues Zertifikat; bis dahin wird nichts dorthin gesendet.',
    fr: 'Le destinataire a besoin d’un nouveau certificat ; d’ici là, rien n’y est envoyé.',
    nl: 'De ontvanger heeft een nieuw certificaat nodig; tot dan wordt daar niets heen gestuurd.',
    es: 'El receptor necesita un certificado nuevo; hasta entonces no se envía nada allí.',
  },
  'Use the host name that its certificate is for in the address of `{name}`, or have the certificate changed.': {
    de: 'Nehmen Sie in der Adresse von `{name}` den Hostnamen, für den das Zertifikat gilt, oder lassen Sie das Zertifikat ändern.',
    fr: 'Utilisez dans l’adresse de `{name}` le nom d’hôte de son certificat, ou faites changer le certificat.',
    nl: 'Gebruik in het adres van `{name}` de hostnaam van het certificaat, of laat het certificaat wijzigen.',
    es: 'Use en la dirección de `{name}` el nombre de host de su certificado, o haga cambiar el certificado.',
  },
  'Give `{name}` the client certificate that the receiver asks for: `tls: { cert, key }`.': {
    de: 'Geben Sie `{name}` das Client-Zertifikat, das der Empfänger verlangt: `tls: { cert, key }`.',
    fr: 'Donnez à `{name}` le certificat client que demande le destinataire : `tls: { cert, key }`.',
    nl: 'Geef `{name}` het clientcertificaat dat de ontvanger vraagt: `tls: { cert, key }`.',
    es: 'Dé a `{name}` el certificado de cliente que pide el receptor: `tls: { cert, key }`.',
  },
  'Have the receiver send its intermediate certificate too (the whole chain), or name the authority of its certificate in `tls.ca` of `{name}`.':
    {
      de: 'Lassen Sie den Empfänger auch sein Zwischenzertifikat senden (die ganze Kette), oder nennen Sie die Zertifizierungsstelle in `tls.ca` von `{name}`.',
      fr: 'Faites envoyer aussi au destinataire son certificat intermédiaire (toute la chaîne), ou nommez l’autorité de son certificat dans `tls.ca` de `{name}`.',
      nl: 'Laat de ontvanger ook zijn tussencertificaat sturen (de hele keten), of noem de uitgever ervan in `tls.ca` van `{name}`.',
      es: 'Haga que el receptor envíe también su certificado intermedio (toda la cadena), o nombre la autoridad de su certificado en `tls.ca` de `{name}`.',
    },
  'Name the authority of its certificate in `tls.ca` of `{name}`, or have the receiver show a trusted one.': {
    de: 'Nennen Sie die Zertifizierungsstelle in `tls.ca` von `{name}`, oder lassen Sie den Empfänger ein vertrautes Zertifikat zeigen.',
    fr: 'Nommez l’autorité de son certificat dans `tls.ca` de `{name}`, ou faites présenter au destinataire un certificat reconnu.',
    nl: 'Noem de uitgever van het certificaat in `tls.ca` van `{name}`, of laat de ontvanger een vertrouwd certificaat tonen.',
    es: 'Nombre la autoridad de su certificado en `tls.ca` de `{name}`, o haga que el receptor muestre uno de confianza.',
  },
  'Look whether https and the port in the address of `{name}` are right, and which TLS versions the receiver speaks.': {
    de: 'Prüfen Sie, ob https und Port in der Adresse von `{name}` stimmen, und welche TLS-Versionen der Empfänger spricht.',
    fr: 'Vérifiez https et le port dans l’adresse de `{name}`, et les versions de TLS que parle le destinataire.',
    nl: 'Kijk of https en de poort in het adres van `{name}` kloppen, en welke TLS-versies de ontvanger spreekt.',
    es: 'Mire si https y el puerto en la dirección de `{name}` son correctos, y qué versiones de TLS habla el receptor.',
  },
  'Something other than a web server answers there: correct the address and port of `{name}`.': {
    de: 'Dort antwortet etwas anderes als ein Webserver: Berichtigen Sie Adresse und Port von `{name}`.',
    fr: 'Autre chose qu’un serveur web y répond : corrigez l’adresse et le port de `{name}`.',
    nl: 'Daar antwoordt iets anders dan een webserver: verbeter adres en poort van `{name}`.',
    es: 'Allí responde algo que no es un servidor web: corrija la dirección y el puerto de `{name}`.',
  },
  'It answers too slowly: have it answer first and work later, or give `{name}` a longer `timeout`.': {
    de: 'Er antwortet zu langsam: Lassen Sie ihn erst antworten und dann arbeiten, oder geben Sie `{name}` ein längeres `timeout`.',
    fr: 'Il répond trop lentement : faites-le répondre d’abord et travailler ensuite, ou donnez à `{name}` un `timeout` plus long.',
    nl: 'Hij antwoordt te traag: laat hem eerst antwoorden en dan werken, of geef `{name}` een langere `timeout`.',
    es: 'Responde demasiado despacio: haga que responda primero y trabaje después, o dé a `{name}` un `timeout` más largo.',
  },
  'No way leads there: look at the network and the firewall between this machine and the receiver.': {
    de: 'Dorthin führt kein Weg: Prüfen Sie Netz und Firewall zwischen diesem Rechner und dem Empfänger.',
    fr: 'Aucun chemin n’y mène : vérifiez le réseau et le pare-feu entre cette machine et le destinataire.',
    nl: 'Er leidt geen weg heen: bekijk het netwerk en de firewall tussen deze machine en de ontvanger.',
    es: 'No hay camino hasta allí: revise la red y el cortafuegos entre esta máquina y el receptor.',
  },
  'The receiver, or a proxy before it, hangs up: look at its log at the time of an attempt.': {
    de: 'Der Empfänger, oder ein Proxy davor, legt auf: Sehen Sie in sein Log zur Zeit eines Versuchs.',
    fr: 'Le destinataire, ou un proxy devant lui, raccroche : consultez son journal à l’heure d’une tentative.',
    nl: 'De ontvanger, of een proxy ervoor, hangt op: bekijk het log ten tijde van een poging.',
    es: 'El receptor, o un proxy delante de él, cuelga: mire su registro a la hora de un intento.',
  },
  'It does not accept who sends: compare `secret` and `headers` of `{name}` with what the receiver expects.': {
    de: 'Er nimmt den Absender nicht an: Vergleichen Sie `secret` und `headers` von `{name}` mit dem, was der Empfänger erwartet.',
    fr: 'Il n’accepte pas l’expéditeur : comparez `secret` et `headers` de `{name}` à ce qu’attend le destinataire.',
    nl: 'Hij aanvaardt de afzender niet: vergelijk `secret` en `headers` van `{name}` met wat de ontvanger verwacht.',
    es: 'No acepta a quien envía: compare `secret` y `headers` de `{name}` con lo que espera el receptor.',
  },
  'Nothing takes events at that address: correct the address of `{name}`.': {
    de: 'Unter dieser Adresse nimmt nichts Ereignisse an: Berichtigen Sie die Adresse von `{name}`.',
    fr: 'Rien ne prend d’événements à cette adresse : corrigez l’adresse de `{name}`.',
    nl: 'Op dat adres neemt niets gebeurtenissen aan: verbeter het adres van `{name}`.',
    es: 'Nada recibe eventos en esa dirección: corrija la dirección de `{name}`.',
  },
  'It points elsewhere, and redirects are not followed: put the final address into `{name}`.': {
    de: 'Er verweist anderswohin, und Weiterleitungen wird nicht gefolgt: Tragen Sie die endgültige Adresse bei `{name}` ein.',
    fr: 'Il renvoie ailleurs, et les redirections ne sont pas suivies : mettez l’adresse finale dans `{name}`.',
    nl: 'Hij verwijst elders heen, en omleidingen worden niet gevolgd: zet het uiteindelijke adres in `{name}`.',
    es: 'Remite a otro sitio, y las redirecciones no se siguen: ponga la dirección final en `{name}`.',
  },
  'Its largest body is smaller than the event: raise that limit there, or set `payload: auto` on `{name}`.': {
    de: 'Seine größte Nachricht ist kleiner als das Ereignis: Erhöhen Sie dort die Grenze, oder setzen Sie bei `{name}` `payload: auto`.',
    fr: 'Sa limite de taille est plus petite que l’événement : relevez-la là-bas, ou mettez `payload: auto` sur `{name}`.',
    nl: 'De grootste inhoud daar is kleiner dan de gebeurtenis: verhoog die grens, of zet `payload: auto` bij `{name}`.',
    es: 'Su cuerpo máximo es menor que el evento: suba allí ese límite, o ponga `payload: auto` en `{name}`.',
  },
  'It wants fewer at once: give `{name}` a `rate`, or a smaller `concurrency`.': {
    de: 'Er will weniger auf einmal: Geben Sie `{name}` eine `rate` oder eine kleinere `concurrency`.',
    fr: 'Il en veut moins à la fois : donnez à `{name}` un `rate`, ou une `concurrency` plus petite.',
    nl: 'Hij wil er minder tegelijk: geef `{name}` een `rate`, of een kleinere `concurrency`.',
    es: 'Quiere menos a la vez: dé a `{name}` un `rate`, o una `concurrency` menor.',
  },
  'The mail server refuses the login: correct user and password of `smtp`.': {
    de: 'Der Mailserver weist die Anmeldung ab: Berichtigen Sie Benutzer und Passwort von `smtp`.',
    fr: 'Le serveur de courrier refuse l’identification : corrigez l’utilisateur et le mot de passe de `smtp`.',
    nl: 'De mailserver weigert de aanmelding: verbeter gebruiker en wachtwoord van `smtp`.',
    es: 'El servidor de correo rechaza las credenciales: corrija usuario y contraseña de `smtp`.',
  },
  'It understands the request and does not like it: its answer says why, and the preview of `{name}` shows what it is sent.':
    {
      de: 'Er versteht die Anfrage und lehnt sie ab: Seine Antwort sagt, warum, und die Vorschau von `{name}` zeigt, was er bekommt.',
      fr: 'Il comprend la requête et n’en veut pas : sa réponse dit pourquoi, et l’aperçu de `{name}` montre ce qui lui est envoyé.',
      nl: 'Hij begrijpt het verzoek en wil het niet: zijn antwoord zegt waarom, en het voorbeeld van `{name}` toont wat hij krijgt.',
      es: 'Entiende la petición y no la acepta: su respuesta dice por qué, y la vista previa de `{name}` muestra lo que se le envía.',
    },
  'The receiver itself fails: look at its log.': {
    de: 'Beim Empfänger selbst geht etwas schief: Sehen Sie in sein Log.',
    fr: 'Le destinataire lui-même est en panne : consultez son journal.',
    nl: 'De ontvanger zelf faalt: bekijk zijn log.',
    es: 'Falla el propio receptor: mire su registro.',
  },
  'It is tried again by itself as long as a retry is left.': {
    de: 'Es wird von selbst wieder versucht, solange noch Versuche bleiben.',
    fr: 'Une nouvelle tentative est faite d’elle-même tant qu’il en reste.',
    nl: 'Het wordt vanzelf opnieuw geprobeerd zolang er pogingen over zijn.',
    es: 'Se vuelve a intentar por sí solo mientras queden reintentos.',
  },
  'No retry is left: once that is mended, send it again (`shipbell deliveries retry`).': {
    de: 'Es bleibt kein Versuch: Sobald das behoben ist, senden Sie sie noch einmal (`shipbell deliveries retry`).',
    fr: 'Il ne reste aucune tentative : une fois réparé, renvoyez-la (`shipbell deliveries retry`).',
    nl: 'Er is geen poging meer over: verzend haar opnieuw zodra het hersteld is (`shipbell deliveries retry`).',
    es: 'No queda ningún reintento: cuando esté arreglado, vuelva a enviarla (`shipbell deliveries retry`).',
  },
  'Look at the answer of the last attempt, and send `{name}` a test once something was mended.': {
    de: 'Sehen Sie die Antwort des letzten Versuchs an, und senden Sie `{name}` einen Test, sobald etwas behoben ist.',
    fr: 'Consultez la réponse de la dernière tentative, et envoyez un test à `{name}` une fois la réparation faite.',
    nl: 'Bekijk het antwoord van de laatste poging, en stuur `{name}` een test zodra er iets hersteld is.',
    es: 'Mire la respuesta del último intento, y envíe una prueba a `{name}` cuando se haya arreglado algo.',
  },
}
