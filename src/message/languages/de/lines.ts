import { dateLine, FAR, HAPPENED, PORTS, POSITION, REFERENCES, RETRACTED, SIDES, WHOSE } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'
import { BEFORE, CONTAINER, LINE, REACHED, RENAMED, WHEN } from './sentences.ts'

/** What is said of a shipment below its name, or behind it. */
export const GERMAN_LINES: TranslatedSentences = {
  'shipment.created': 'Neue Sendung{{ data.object | journey }}.',
  'shipment.removed': 'Auf der Plattform nicht mehr vorhanden.',
  'shipment.restored': 'Auf der Plattform wieder vorhanden.',
  'shipment.status_changed':
    'Status {{ data.from | words }} → {{ data.to | words }}{% if data.regression %}, ein Schritt zurück{% endif %}.',
  'shipment.pickup_date_changed': dateLine('Abholung'),
  'shipment.etd_changed': dateLine('ETD'),
  'shipment.eta_changed': dateLine('ETA'),
  'shipment.delivery_date_changed': dateLine('Zustellung'),
  'shipment.picked_up': `Abgeholt: ${REACHED}.`,
  'shipment.departed': `Abgefahren: ${REACHED}.`,
  'shipment.arrived': `Angekommen: ${REACHED}.`,
  'shipment.delivered': `Zugestellt: ${REACHED}.`,
  'shipment.milestone_corrected':
    'Tatsächliche {{ data.date_change.milestone | words }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problem gemeldet: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, erwartet {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problem behoben: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, jetzt {{ data.date_change.to.status | words }} für {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': 'Umgebucht von {{ data.from | carriage }} auf {{ data.to | carriage }}.',
  'shipment.booking_updated': 'Buchung geändert{{ data.changes | changed }}.',
  'shipment.container_added': `${CONTAINER} wurde hinzugefügt.`,
  'shipment.container_updated': `${CONTAINER} wurde geändert{{ data.changes | changed }}.`,
  'shipment.container_removed': `${CONTAINER} gehört nicht mehr dazu.`,
  'shipment.cargo_updated': 'Ladung geändert{{ data.changes | changed }}.',
  'shipment.invoice_status_changed': 'Rechnungsstatus {{ data.from | words }} → {{ data.to | words }}.',
  'shipment.rerouted': `Umgeleitet${PORTS}{% if isOther %}: bisher {{ was }}, jetzt {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Bereitstellung der Ware ${SIDES}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Wunschtermin der Zustellung ${SIDES}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Angebot {{ data.to.id | short }} wurde angenommen.{% else %}Angenommenes Angebot geändert{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Referenzen geändert${REFERENCES}.`,
  'shipment.goods_updated': 'Warenangaben geändert{{ data.changes | changed }}.',
  'shipment.updated': 'Sendung geändert{{ data.changes | changed }}.',
  'shipment.delivery_at_risk':
    'Zustellung {{ data.slack_days | days }} nach dem Wunschtermin erwartet{% if data.object.desired_delivery_date %}: {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'Zustellung wieder im Plan{% if data.slack_days > 0 %}, {{ data.slack_days | days }} vor dem Wunschtermin{% endif %}.',
  'shipment.milestone_overdue':
    '{{ data.milestone | words }}: {{ data.hours_late | hours }} überfällig{% if data.date %}, erwartet {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${HAPPENED}${WHEN}.`,
  'tracking.event_updated': `${HAPPENED}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${HAPPENED} ist eingetreten${WHEN}${BEFORE}.`,
  'tracking.event_retracted': `Zurückgenommen: ${RETRACTED}.`,
  'tracking.status_changed': 'Sendungsverfolgung {{ data.from | words }} → {{ data.to | words }}.',
  'tracking.position_changed': `{% if data.position %}Jetzt bei ${POSITION}.{% else %}Die Position ist nicht mehr bekannt.{% endif %}`,
  'tracking.updated': 'Sendungsverfolgung geändert{{ data.changes | changed }}.',
  'document.added': 'Neues Dokument {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}.',
  'document.classified':
    'Dokument {{ it }} wurde eingeordnet{% if data.object.type %}: {{ data.object.type | words }}{% endif %}.',
  'purchase_order.assigned': `${LINE} wurde zugeordnet.`,
  'purchase_order.unassigned': `${LINE} ist nicht mehr zugeordnet.`,
  'purchase_order.shipped_quantity_changed':
    'Die versandten Mengen der Bestellung {{ it }} wurden geändert{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': 'Status {{ data.from | words }} → {{ data.to | words }}.',
  'expectation.missed': `${WHOSE}{{ data.expectation | short }} wurde bis {{ data.by | moment }} erwartet und ist ausgeblieben.`,
  'expectation.met': `${WHOSE}{{ data.expectation | short }} ist eingetroffen, {{ data.late_by | divided_by: 3600.0 | hours }} zu spät.`,
  'expectation.withdrawn': `${WHOSE}{{ data.expectation | short }} wird nicht mehr{% if data.reason == "moved" %} bis {{ data.by | moment }}{% endif %} erwartet.`,
}
