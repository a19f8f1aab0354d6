import { FAR, PORTS, REFERENCES } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'

export const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes and data.date_change.shift_minutes != 0 %}, {{ data.date_change | shift }} als zuletzt bekannt{% endif %}'
export const CONTAINER =
  '{% if data.container.container_number %}Container {{ data.container.container_number | short }}{% else %}Ein Container ohne Nummer{% endif %}'
export const LINE =
  '{% if data.line.reference %}Position {{ data.line.reference | short }}{% else %}Eine Position{% endif %} der Bestellung {{ it }}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} der Sendung {{ data.object.platform_shipment_id | short }}{% endif %}'
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} über {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER}{% if data.object.due_date %}, fällig am {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'
const STATUS = 'Status von „{{ data.from | words }}“ auf „{{ data.to | words }}“ geändert'
const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
export const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
export const BEFORE = '{% assign before = data | before %}{% if before != "" %}; vorher: {{ before }}{% endif %}'
export const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; vorher: {{ named }}{% endif %}'
const REASON = '{% if data.reason %}: {{ data.reason | clause }}{% endif %}'
const GONE = 'ist auf der Plattform nicht mehr vorhanden.'
const BACK = 'ist auf der Plattform wieder vorhanden.'

export const GERMAN_SENTENCES: TranslatedSentences = {
  'shipment.created': 'Neue Sendung {{ it }}{{ data.object | journey }}.',
  'shipment.removed': `Sendung {{ it }} ${GONE}`,
  'shipment.restored': `Sendung {{ it }} ${BACK}`,
  'shipment.snapshot': 'Sendung {{ it }}, aktueller Stand{{ data.object | journey }}.',
  'shipment.status_changed': `Sendung {{ it }}: ${STATUS}{% if data.regression %}, ein Schritt zurück{% endif %}.`,
  'shipment.pickup_date_changed': 'Abholung von {{ it }} {{ data.date_change | moved }}.',
  'shipment.etd_changed': 'Abfahrt (ETD) von {{ it }} {{ data.date_change | moved }}.',
  'shipment.eta_changed': 'Ankunft (ETA) von {{ it }} {{ data.date_change | moved }}.',
  'shipment.delivery_date_changed': 'Zustellung von {{ it }} {{ data.date_change | moved }}.',
  'shipment.picked_up': `{{ it }} wurde abgeholt: ${REACHED}.`,
  'shipment.departed': `{{ it }} ist abgefahren: ${REACHED}.`,
  'shipment.arrived': `{{ it }} ist angekommen: ${REACHED}.`,
  'shipment.delivered': `{{ it }} wurde zugestellt: ${REACHED}.`,
  'shipment.milestone_corrected':
    'Tatsächliche {{ data.date_change.milestone | words }} von {{ it }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problem gemeldet: {{ data.date_change.milestone | words }} von {{ it }}{% if data.date_change.to.date %}, erwartet {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problem behoben: {{ data.date_change.milestone | words }} von {{ it }}{% if data.date_change.to.date %}, jetzt {{ data.date_change.to.status | words }} für {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': '{{ it }} wurde umgebucht von {{ data.from | carriage }} auf {{ data.to | carriage }}.',
  'shipment.booking_updated': 'Die Buchung von {{ it }} wurde geändert{{ data.changes | changed }}.',
  'shipment.container_added': `${CONTAINER} wurde zu {{ it }} hinzugefügt.`,
  'shipment.container_updated': `${CONTAINER} von {{ it }} wurde geändert{{ data.changes | changed }}.`,
  'shipment.container_removed': `${CONTAINER} gehört nicht mehr zu {{ it }}.`,
  'shipment.cargo_updated': 'Die Ladung von {{ it }} wurde geändert{{ data.changes | changed }}.',
  'shipment.invoice_status_changed':
    'Der Rechnungsstatus von {{ it }} wurde von „{{ data.from | words }}“ auf „{{ data.to | words }}“ geändert.',
  'shipment.rerouted': `{{ it }} wurde umgeleitet${PORTS}{% if isOther %}: bisher {{ was }}, jetzt {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Die Bereitstellung der Ware von {{ it }} wurde geändert: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Der Wunschtermin der Zustellung von {{ it }} wurde geändert: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Angebot {{ data.to.id | short }} wurde für {{ it }} angenommen.{% else %}Das angenommene Angebot von {{ it }} wurde geändert{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Die Referenzen von {{ it }} wurden geändert${REFERENCES}.`,
  'shipment.goods_updated': 'Die Warenangaben von {{ it }} wurden geändert{{ data.changes | changed }}.',
  'shipment.updated': 'Sendung {{ it }} wurde geändert{{ data.changes | changed }}.',
  'shipment.delivery_at_risk':
    'Die Zustellung von {{ it }} wird {{ data.slack_days | days }} nach dem Wunschtermin erwartet{% if data.object.desired_delivery_date %}: {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'Die Zustellung von {{ it }} liegt wieder im Plan{% if data.slack_days > 0 %}, {{ data.slack_days | days }} vor dem Wunschtermin{% endif %}.',
  'shipment.milestone_overdue':
    '{{ data.milestone | words }} von {{ it }}: {{ data.hours_late | hours }} überfällig{% if data.date %}, erwartet {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${WHAT}${WHEN}.`,
  'tracking.event_updated': `${WHAT}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${WHAT} ist eingetreten${WHEN}${BEFORE}.`,
  'tracking.event_retracted':
    '{{ it }}: zurückgenommen: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
  'tracking.status_changed': `Sendungsverfolgung von {{ it }}: ${STATUS}.`,
  'tracking.position_changed':
    '{% if data.position %}{{ it }} ist bei {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}Die Position von {{ it }} ist nicht mehr bekannt.{% endif %}',
  'tracking.snapshot': 'Sendungsverfolgung von {{ it }}: aktueller Stand.',
  'tracking.updated': 'Die Sendungsverfolgung von {{ it }} wurde geändert{{ data.changes | changed }}.',
  'invoice.created': `Neue Rechnung ${CREATED}`,
  'invoice.status_changed': `Rechnung {{ it }}: ${STATUS}.`,
  'invoice.due_date_changed':
    'Das Fälligkeitsdatum der Rechnung {{ it }} wurde geändert: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'invoice.amount_changed':
    'Der Betrag der Rechnung {{ it }} wurde von {{ data.from | money }} auf {{ data.to | money }} geändert.',
  'invoice.updated': 'Rechnung {{ it }} wurde geändert{{ data.changes | changed }}.',
  'invoice.removed': `Rechnung {{ it }} ${GONE}`,
  'invoice.restored': `Rechnung {{ it }} ${BACK}`,
  'invoice.snapshot': 'Rechnung {{ it }}: aktueller Stand.',
  'invoice.due_soon': `Rechnung {{ it }}${OVER} wird {{ data.days_left | in_days }} fällig{% if data.due_date %}: am ${ON}{% endif %}.`,
  'invoice.due': `{% if data.reason == "status" %}Die Plattform führt Rechnung {{ it }}${OVER} als fällig{% if data.due_date %}; Fälligkeitsdatum: ${ON}{% endif %}.{% else %}Rechnung {{ it }}${OVER} ist fällig{% if data.due_date %} am ${ON}{% endif %}.{% endif %}`,
  'invoice.overdue': `Rechnung {{ it }}${OVER} ist {{ data.days_overdue | days }} überfällig{% if data.due_date %}: fällig war sie am ${ON}{% endif %}.`,
  'invoice.overdue_cleared': 'Rechnung {{ it }} ist nicht mehr überfällig.',
  'credit_note.created': `Neue Gutschrift ${CREATED}`,
  'credit_note.status_changed': `Gutschrift {{ it }}: ${STATUS}.`,
  'credit_note.due_date_changed':
    'Das Fälligkeitsdatum der Gutschrift {{ it }} wurde geändert: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'credit_note.amount_changed':
    'Der Betrag der Gutschrift {{ it }} wurde von {{ data.from | money }} auf {{ data.to | money }} geändert.',
  'credit_note.updated': 'Gutschrift {{ it }} wurde geändert{{ data.changes | changed }}.',
  'credit_note.removed': `Gutschrift {{ it }} ${GONE}`,
  'credit_note.restored': `Gutschrift {{ it }} ${BACK}`,
  'credit_note.snapshot': 'Gutschrift {{ it }}: aktueller Stand.',
  'document.added': `Neues Dokument {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}${OF_SHIPMENT}.`,
  'document.classified': `Dokument {{ it }}${OF_SHIPMENT} wurde eingeordnet{% if data.object.type %}: {{ data.object.type | words }}{% endif %}.`,
  'document.updated': 'Dokument {{ it }} wurde geändert{{ data.changes | changed }}.',
  'document.removed': `Dokument {{ it }} ${GONE}`,
  'document.restored': `Dokument {{ it }} ${BACK}`,
  'document.snapshot': 'Dokument {{ it }}: aktueller Stand.',
  'purchase_order.created':
    'Neue Bestellung {{ it }}{% if data.object.supplier_name %} bei {{ data.object.supplier_name | short }}{% endif %}.',
  'purchase_order.updated': 'Bestellung {{ it }} wurde geändert{{ data.changes | changed }}.',
  'purchase_order.removed': `Bestellung {{ it }} ${GONE}`,
  'purchase_order.restored': `Bestellung {{ it }} ${BACK}`,
  'purchase_order.snapshot': 'Bestellung {{ it }}: aktueller Stand.',
  'purchase_order.assigned': `${LINE} wurde der Sendung {{ data.shipment_id | short }} zugeordnet.`,
  'purchase_order.unassigned': `${LINE} ist der Sendung {{ data.shipment_id | short }} nicht mehr zugeordnet.`,
  'purchase_order.shipped_quantity_changed':
    'Die versandten Mengen der Bestellung {{ it }}{% if data.shipment_id %} in Sendung {{ data.shipment_id | short }}{% endif %} wurden geändert{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed':
    'Sendung {{ data.shipment_id | short }} der Bestellung {{ it }}: Status von „{{ data.from | words }}“ auf „{{ data.to | words }}“ geändert.',
  'purchase_order.eta_changed': 'Erwartete Zustellung der Bestellung {{ it }} {{ data | moved }}.',
  'purchase_order.delivery_at_risk':
    'Die Zustellung der Bestellung {{ it }} wird {{ data.slack_days | days }} nach dem Wunschtermin erwartet{% if data.order_status.desired_delivery_date %}: {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
  'purchase_order.delivery_back_on_track':
    'Die Zustellung der Bestellung {{ it }} liegt wieder im Plan{% if data.slack_days > 0 %}, {{ data.slack_days | days }} vor dem Wunschtermin{% endif %}.',
  'purchase_order.fully_assigned': 'Die Bestellung {{ it }} ist vollständig Sendungen zugeordnet.',
  'purchase_order.delivered':
    'Die Bestellung {{ it }} wurde vollständig zugestellt{% if data.date %}: {{ data.date | moment }}{% endif %}.',
  'location.created': 'Neuer Standort {{ it }}.',
  'location.updated': 'Standort {{ it }} wurde geändert{{ data.changes | changed }}.',
  'location.removed': `Standort {{ it }} ${GONE}`,
  'location.restored': `Standort {{ it }} ${BACK}`,
  'location.snapshot': 'Standort {{ it }}: aktueller Stand.',
  'order_preparation.created': 'Neue Auftragsvorbereitung {{ it }}.',
  'order_preparation.updated': 'Auftragsvorbereitung {{ it }} wurde geändert{{ data.changes | changed }}.',
  'order_preparation.removed': `Auftragsvorbereitung {{ it }} ${GONE}`,
  'order_preparation.restored': `Auftragsvorbereitung {{ it }} ${BACK}`,
  'order_preparation.snapshot': 'Auftragsvorbereitung {{ it }}: aktueller Stand.',
  'expectation.missed':
    '{{ it }}: {{ data.expectation | short }} wurde bis {{ data.by | moment }} erwartet und ist ausgeblieben.',
  'expectation.met':
    '{{ it }}: {{ data.expectation | short }} ist eingetroffen, {{ data.late_by | divided_by: 3600.0 | hours }} zu spät.',
  'expectation.withdrawn':
    '{{ it }}: {{ data.expectation | short }} wird nicht mehr{% if data.reason == "moved" %} bis {{ data.by | moment }}{% endif %} erwartet.',
  'account.baseline_completed':
    'Konto {{ it }}: Der Anfangsbestand ist vollständig ({{ data.resource | many }}: {{ data.count }}); was sich ab jetzt ändert, wird gemeldet.',
  'account.unreachable': `Die Plattform des Kontos {{ it }} ist nicht erreichbar${REASON}.`,
  'account.unauthorized': `Die Plattform verweigert dem Schlüssel des Kontos {{ it }} den Zugriff{% if data.resource %} auf {{ data.resource | many }}, antwortet aber sonst{% endif %}${REASON}.`,
  'account.paused': `Die Plattform des Kontos {{ it }} will bis {{ data.until | moment }} in Ruhe gelassen werden: So lange wird nichts gelesen${REASON}.`,
  'account.recovered':
    '{% if data.was == "list_stale" %}Konto {{ it }}: Die Liste stimmt wieder mit einzeln abgerufenen Datensätzen überein ({{ data.resource | many }}).{% else %}Die Plattform des Kontos {{ it }} antwortet wieder{% if data.resource %}: {{ data.resource | many }}{% endif %}.{% endif %}',
  'account.list_incomplete': `Konto {{ it }}: Nicht alles ist lesbar ({{ data.resource | many }})${REASON}. Alles andere wird verfolgt, nichts davon gilt als entfernt.`,
  'account.list_stale':
    'Konto {{ it }}: Die Liste zeigt alte Zeilen ({{ data.resource | many }}; {{ data.differed }} von {{ data.sampled }} einzeln abgerufenen weichen ab): Änderungen werden womöglich verspätet gemeldet, bis die Plattform ihre Liste berichtigt.',
  'account.clock_differs':
    'Konto {{ it }}: Die Uhr dieses Rechners geht gegenüber der Plattform {{ data.difference_seconds | divided_by: 3600.0 | hours }} {% if data.difference_seconds > 0 %}vor{% else %}nach{% endif %}: Fälligkeiten werden gemeldet, sobald beide Uhren sie erreicht haben.',
  'account.removals_held':
    'Konto {{ it }}: {{ data.missing }} von {{ data.known }} scheinen zu fehlen ({{ data.resource | many }}), was nicht bestätigt ist: Entscheiden Sie mit `shipbell holds list`.',
  'account.schema_drift':
    'Konto {{ it }}: Ein Feld, das die Schnittstelle nicht kennt, ist aufgetaucht ({{ data.resource | many }}): {{ data.path | short }}.',
  'account.record_rejected':
    'Konto {{ it }}: {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}Ein Datensatz ({{ data.resource | many }}){% endif %} ist nicht lesbar{% if data.more > 0 %} (und {{ data.more }} weitere){% endif %}: {{ data.reason | clause }}.',
  'endpoint.failing': `Der Endpunkt von {{ it }} ist gestört${REASON}. Zustellungen werden weiter versucht.`,
  'endpoint.exhausted': `Der Endpunkt von {{ it }} hat ein Ereignis auch beim letzten Versuch nicht angenommen${REASON}. Es bleibt für \`shipbell deliveries retry --subscription {{ subject.id }} --since 30d\` erhalten.`,
  'endpoint.disabled': `Der Endpunkt von {{ it }} ist abgeschaltet${REASON}. Seine Ereignisse warten auf \`shipbell subscriptions enable {{ subject.id }}\`.`,
  'endpoint.recovered': 'Der Endpunkt von {{ it }} nimmt wieder Ereignisse an.',
  'endpoint.filter_failed': `Das \`where\` von {{ it }} konnte nicht ausgewertet werden${REASON}. Das Ereignis wurde zugestellt.`,
  'shipbell.configuration_rejected':
    'Die Konfiguration {{ data.file | short }} wurde abgelehnt ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %} und {{ others }} weitere{% endif %}), die vorige bleibt in Kraft: `shipbell check` sagt, wie sie zu berichtigen ist.',
  'shipbell.watermark': 'Was {{ it }} erhält, ist bis Position {{ data.complete_through }} abgeschlossen.',
  'shipbell.test': 'Ein Test des Endpunkts von {{ it }}.',
}
