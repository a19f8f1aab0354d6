import { dateLine, FAR, HAPPENED, PORTS, POSITION, REFERENCES, RETRACTED, SIDES, WHOSE } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'
import { BEFORE, CHANGED, CONTAINER, LINE, REACHED, RENAMED, WHEN } from './sentences.ts'

/** What is said of a shipment below its name, or behind it. */
export const SPANISH_LINES: TranslatedSentences = {
  'shipment.created': 'Nuevo envío{{ data.object | journey }}.',
  'shipment.removed': 'Ya no está en la plataforma.',
  'shipment.restored': 'Vuelve a estar en la plataforma.',
  'shipment.status_changed':
    'Estado: {{ data.from | words }} → {{ data.to | words }}{% if data.regression %}, un paso atrás{% endif %}.',
  'shipment.pickup_date_changed': dateLine('Recogida:'),
  'shipment.etd_changed': dateLine('ETD:'),
  'shipment.eta_changed': dateLine('ETA:'),
  'shipment.delivery_date_changed': dateLine('Entrega:'),
  'shipment.picked_up': `Recogida efectuada, ${REACHED}.`,
  'shipment.departed': `Salida efectuada, ${REACHED}.`,
  'shipment.arrived': `Llegada efectuada, ${REACHED}.`,
  'shipment.delivered': `Entrega efectuada, ${REACHED}.`,
  'shipment.milestone_corrected':
    'Fecha real de {{ data.date_change.milestone | words }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problema comunicado: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, fecha prevista {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problema resuelto: {{ data.date_change.milestone | words }}{% if data.date_change.to.date %}, ahora {{ data.date_change.to.status | words }}: {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': 'Rolado de {{ data.from | carriage }} a {{ data.to | carriage }}.',
  'shipment.booking_updated': `La reserva ${CHANGED}`,
  'shipment.container_added': `${CONTAINER} añadido.`,
  'shipment.container_updated': `${CONTAINER} ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} retirado.`,
  'shipment.cargo_updated': `La carga ${CHANGED}`,
  'shipment.invoice_status_changed': 'Estado de facturación: {{ data.from | words }} → {{ data.to | words }}.',
  'shipment.rerouted': `La ruta cambió${PORTS}{% if isOther %}: antes {{ was }}, ahora {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Fecha de carga lista: ${SIDES}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Fecha de entrega deseada: ${SIDES}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Cotización {{ data.to.id | short }} aceptada.{% else %}La cotización aceptada cambió{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Las referencias cambiaron${REFERENCES}.`,
  'shipment.goods_updated': `La descripción de la mercancía ${CHANGED}`,
  'shipment.updated': `El envío ${CHANGED}`,
  'shipment.delivery_at_risk':
    'Entrega prevista {{ data.slack_days | days }} después de la fecha deseada{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'La entrega vuelve a estar en plazo{% if data.slack_days > 0 %}, {{ data.slack_days | days }} antes de la fecha deseada{% endif %}.',
  'shipment.milestone_overdue':
    'Retraso: {{ data.milestone | words }}, {{ data.hours_late | hours }}{% if data.date %}; fecha prevista {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${HAPPENED}${WHEN}.`,
  'tracking.event_updated': `${HAPPENED}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${HAPPENED}, realizado${WHEN}${BEFORE}.`,
  'tracking.event_retracted': `Retirado: ${RETRACTED}.`,
  'tracking.status_changed': 'Seguimiento: {{ data.from | words }} → {{ data.to | words }}.',
  'tracking.position_changed': `{% if data.position %}Está en ${POSITION}.{% else %}La posición ya no se conoce.{% endif %}`,
  'tracking.updated': `El seguimiento ${CHANGED}`,
  'document.added': 'Nuevo documento {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}.',
  'document.classified':
    'Documento {{ it }} clasificado{% if data.object.type %} como {{ data.object.type | words }}{% endif %}.',
  'purchase_order.assigned': `${LINE} asignada.`,
  'purchase_order.unassigned': `${LINE} retirada.`,
  'purchase_order.shipped_quantity_changed':
    'Las cantidades enviadas del pedido {{ it }} cambiaron{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': 'Estado: {{ data.from | words }} → {{ data.to | words }}.',
  'expectation.missed': `${WHOSE}{{ data.expectation | short }} se esperaba antes del {{ data.by | moment }} y no ha llegado.`,
  'expectation.met': `${WHOSE}{{ data.expectation | short }} ha llegado con {{ data.late_by | divided_by: 3600.0 | hours }} de retraso.`,
  'expectation.withdrawn': `${WHOSE}{{ data.expectation | short }} ya no se espera{% if data.reason == "moved" %} antes del {{ data.by | moment }}{% endif %}.`,
}
