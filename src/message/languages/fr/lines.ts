import { dateLine, FAR, HAPPENED, PORTS, POSITION, REFERENCES, RETRACTED, SIDES, WHOSE } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'
import { BEFORE, CHANGED, CHANGED_F, CONTAINER, LINE, REACHED, RENAMED, WHEN } from './sentences.ts'

/** What is said of a shipment below its name, or behind it. */
export const FRENCH_LINES: TranslatedSentences = {
  'shipment.created': 'Nouvelle expédition{{ data.object | journey }}.',
  'shipment.removed': 'N’est plus présente sur la plateforme.',
  'shipment.restored': 'De nouveau présente sur la plateforme.',
  'shipment.status_changed':
    'Statut : {{ data.from | words }} → {{ data.to | words }}{% if data.regression %}, un retour en arrière{% endif %}.',
  'shipment.pickup_date_changed': dateLine('Enlèvement :'),
  'shipment.etd_changed': dateLine('ETD :'),
  'shipment.eta_changed': dateLine('ETA :'),
  'shipment.delivery_date_changed': dateLine('Livraison :'),
  'shipment.picked_up': `Enlèvement effectué, ${REACHED}.`,
  'shipment.departed': `Départ effectué, ${REACHED}.`,
  'shipment.arrived': `Arrivée à destination, ${REACHED}.`,
  'shipment.delivered': `Livraison effectuée, ${REACHED}.`,
  'shipment.milestone_corrected':
    'Date réelle, {{ data.date_change.milestone | words }} : {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problème signalé : {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, date prévue {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problème levé : {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, désormais {{ data.date_change.to.status | words }} : {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': 'Report (roll-over) de {{ data.from | carriage }} à {{ data.to | carriage }}.',
  'shipment.booking_updated': `Réservation ${CHANGED_F}`,
  'shipment.container_added': `${CONTAINER} ajouté.`,
  'shipment.container_updated': `${CONTAINER} ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} retiré.`,
  'shipment.cargo_updated': `Marchandise ${CHANGED_F}`,
  'shipment.invoice_status_changed': 'Facturation : {{ data.from | words }} → {{ data.to | words }}.',
  'shipment.rerouted': `Trajet modifié${PORTS}{% if isOther %} : {{ was }} devient {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Date de mise à disposition : ${SIDES}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Date de livraison souhaitée : ${SIDES}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Devis {{ data.to.id | short }} accepté.{% else %}Devis accepté modifié{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Références modifiées${REFERENCES}.`,
  'shipment.goods_updated': `Description des marchandises ${CHANGED_F}`,
  'shipment.updated': `Expédition ${CHANGED_F}`,
  'shipment.delivery_at_risk':
    'Livraison attendue {{ data.slack_days | days }} après la date souhaitée{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'Livraison de nouveau dans les temps{% if data.slack_days > 0 %}, {{ data.slack_days | days }} avant la date souhaitée{% endif %}.',
  'shipment.milestone_overdue':
    'Retard : {{ data.milestone | words }}, {{ data.hours_late | hours }}{% if data.date %} ; date prévue {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${HAPPENED}${WHEN}.`,
  'tracking.event_updated': `${HAPPENED}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${HAPPENED}, effectué${WHEN}${BEFORE}.`,
  'tracking.event_retracted': `Retiré : ${RETRACTED}.`,
  'tracking.status_changed': 'Suivi : {{ data.from | words }} → {{ data.to | words }}.',
  'tracking.position_changed': `{% if data.position %}Se trouve à ${POSITION}.{% else %}La position n’est plus connue.{% endif %}`,
  'tracking.updated': `Suivi ${CHANGED}`,
  'document.added': 'Nouveau document {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}.',
  'document.classified':
    'Document {{ it }} classé{% if data.object.type %} : {{ data.object.type | words }}{% endif %}.',
  'purchase_order.assigned': `${LINE} affectée.`,
  'purchase_order.unassigned': `${LINE} retirée.`,
  'purchase_order.shipped_quantity_changed':
    'Quantités expédiées de la commande {{ it }} modifiées{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': 'Statut : {{ data.from | words }} → {{ data.to | words }}.',
  'expectation.missed': `${WHOSE}{{ data.expectation | short }} était attendu pour le {{ data.by | moment }} et n’est pas arrivé.`,
  'expectation.met': `${WHOSE}{{ data.expectation | short }} est arrivé avec {{ data.late_by | divided_by: 3600.0 | hours }} de retard.`,
  'expectation.withdrawn': `${WHOSE}{{ data.expectation | short }} n’est plus attendu{% if data.reason == "moved" %} pour le {{ data.by | moment }}{% endif %}.`,
}
