import { dateLine, FAR, HAPPENED, PORTS, POSITION, REFERENCES, RETRACTED, SIDES, WHOSE } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'
import { BEFORE, CHANGED, CONTAINER, LINE, REACHED, RENAMED, WHEN } from './sentences.ts'

/** What is said of a shipment below its name, or behind it. */
export const DUTCH_LINES: TranslatedSentences = {
  'shipment.created': 'Nieuwe zending{{ data.object | journey }}.',
  'shipment.removed': 'Staat niet meer op het platform.',
  'shipment.restored': 'Staat weer op het platform.',
  'shipment.status_changed':
    'Status {{ data.from | words }} → {{ data.to | words }}{% if data.regression %}, een stap terug{% endif %}.',
  'shipment.pickup_date_changed': dateLine('Ophalen'),
  'shipment.etd_changed': dateLine('ETD'),
  'shipment.eta_changed': dateLine('ETA'),
  'shipment.delivery_date_changed': dateLine('Levering'),
  'shipment.picked_up': `Opgehaald op ${REACHED}.`,
  'shipment.departed': `Vertrokken op ${REACHED}.`,
  'shipment.arrived': `Aangekomen op ${REACHED}.`,
  'shipment.delivered': `Geleverd op ${REACHED}.`,
  'shipment.milestone_corrected':
    'Werkelijke datum ({{ data.date_change.milestone | words }}) {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Probleem gemeld: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, verwacht {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Probleem opgelost: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, nu {{ data.date_change.to.status | words }} voor {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': 'Doorgeschoven van {{ data.from | carriage }} naar {{ data.to | carriage }}.',
  'shipment.booking_updated': `De boeking is ${CHANGED}`,
  'shipment.container_added': `${CONTAINER} is toegevoegd.`,
  'shipment.container_updated': `${CONTAINER} is ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} hoort er niet meer bij.`,
  'shipment.cargo_updated': `De lading is ${CHANGED}`,
  'shipment.invoice_status_changed': 'Factuurstatus {{ data.from | words }} → {{ data.to | words }}.',
  'shipment.rerouted': `Omgeleid${PORTS}{% if isOther %}: eerst {{ was }}, nu {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Datum lading gereed ${SIDES}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Gewenste leverdatum ${SIDES}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Offerte {{ data.to.id | short }} is geaccepteerd.{% else %}De geaccepteerde offerte is gewijzigd{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `De referenties zijn gewijzigd${REFERENCES}.`,
  'shipment.goods_updated': `De goederengegevens zijn ${CHANGED}`,
  'shipment.updated': `De zending is ${CHANGED}`,
  'shipment.delivery_at_risk':
    'Levering {{ data.slack_days | days }} na de gewenste datum verwacht{% if data.object.desired_delivery_date %}: {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'Levering weer op schema{% if data.slack_days > 0 %}, {{ data.slack_days | days }} voor de gewenste datum{% endif %}.',
  'shipment.milestone_overdue':
    'Vertraging: {{ data.milestone | words }}, {{ data.hours_late | hours }} te laat{% if data.date %}, verwacht {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${HAPPENED}${WHEN}.`,
  'tracking.event_updated': `${HAPPENED}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${HAPPENED} heeft plaatsgevonden${WHEN}${BEFORE}.`,
  'tracking.event_retracted': `Ingetrokken: ${RETRACTED}.`,
  'tracking.status_changed': 'Tracking {{ data.from | words }} → {{ data.to | words }}.',
  'tracking.position_changed': `{% if data.position %}Bevindt zich op ${POSITION}.{% else %}De positie is niet meer bekend.{% endif %}`,
  'tracking.updated': `De tracking is ${CHANGED}`,
  'document.added': 'Nieuw document {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}.',
  'document.classified':
    'Document {{ it }} is ingedeeld{% if data.object.type %} als {{ data.object.type | words }}{% endif %}.',
  'purchase_order.assigned': `${LINE} is toegewezen.`,
  'purchase_order.unassigned': `${LINE} is niet meer toegewezen.`,
  'purchase_order.shipped_quantity_changed': `Verzonden hoeveelheden van inkooporder {{ it }} zijn ${CHANGED}`,
  'purchase_order.shipment_status_changed': 'Status {{ data.from | words }} → {{ data.to | words }}.',
  'expectation.missed': `${WHOSE}{{ data.expectation | short }} werd verwacht vóór {{ data.by | moment }} en is uitgebleven.`,
  'expectation.met': `${WHOSE}{{ data.expectation | short }} is er, {{ data.late_by | divided_by: 3600.0 | hours }} te laat.`,
  'expectation.withdrawn': `${WHOSE}{{ data.expectation | short }} wordt niet meer verwacht{% if data.reason == "moved" %} vóór {{ data.by | moment }}{% endif %}.`,
}
