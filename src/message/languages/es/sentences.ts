import { FAR, PORTS, REFERENCES } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'

export const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes and data.date_change.shift_minutes != 0 %}, {{ data.date_change | shift }} que lo último conocido{% endif %}'
export const CONTAINER =
  '{% if data.container.container_number %}Contenedor {{ data.container.container_number | short }}{% else %}Un contenedor sin número{% endif %}'
export const LINE =
  '{% if data.line.reference %}Línea {{ data.line.reference | short }}{% else %}Una línea{% endif %} del pedido {{ it }}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} del envío {{ data.object.platform_shipment_id | short }}{% endif %}'
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} de {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER}{% if data.object.due_date %}, vencimiento {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'
const STATUS = 'el estado pasó de «{{ data.from | words }}» a «{{ data.to | words }}»'
const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
export const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
export const BEFORE = '{% assign before = data | before %}{% if before != "" %}; antes: {{ before }}{% endif %}'
export const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; antes: {{ named }}{% endif %}'
const REASON = '{% if data.reason %}: {{ data.reason | clause }}{% endif %}'
const GONE = 'ya no está en la plataforma.'
const BACK = 'vuelve a estar en la plataforma.'
export const CHANGED = 'cambió{{ data.changes | changed }}.'

export const SPANISH_SENTENCES: TranslatedSentences = {
  'shipment.created': 'Nuevo envío {{ it }}{{ data.object | journey }}.',
  'shipment.removed': `El envío {{ it }} ${GONE}`,
  'shipment.restored': `El envío {{ it }} ${BACK}`,
  'shipment.snapshot': 'Envío {{ it }}, estado actual{{ data.object | journey }}.',
  'shipment.status_changed': `Envío {{ it }}: ${STATUS}{% if data.regression %}, un paso atrás{% endif %}.`,
  'shipment.pickup_date_changed': 'Recogida de {{ it }}: {{ data.date_change | moved }}.',
  'shipment.etd_changed': 'Salida (ETD) de {{ it }}: {{ data.date_change | moved }}.',
  'shipment.eta_changed': 'Llegada (ETA) de {{ it }}: {{ data.date_change | moved }}.',
  'shipment.delivery_date_changed': 'Entrega de {{ it }}: {{ data.date_change | moved }}.',
  'shipment.picked_up': `{{ it }}: recogida efectuada, ${REACHED}.`,
  'shipment.departed': `{{ it }}: salida efectuada, ${REACHED}.`,
  'shipment.arrived': `{{ it }}: llegada efectuada, ${REACHED}.`,
  'shipment.delivered': `{{ it }}: entrega efectuada, ${REACHED}.`,
  'shipment.milestone_corrected':
    'Fecha real de {{ data.date_change.milestone | words }} de {{ it }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problema comunicado: {{ data.date_change.milestone | words }} de {{ it }}{% if data.date_change.to.date %}, fecha prevista {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problema resuelto: {{ data.date_change.milestone | words }} de {{ it }}{% if data.date_change.to.date %}, ahora {{ data.date_change.to.status | words }}: {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': '{{ it }}: rolado de {{ data.from | carriage }} a {{ data.to | carriage }}.',
  'shipment.booking_updated': `La reserva de {{ it }} ${CHANGED}`,
  'shipment.container_added': `${CONTAINER} añadido a {{ it }}.`,
  'shipment.container_updated': `${CONTAINER} de {{ it }} ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} retirado de {{ it }}.`,
  'shipment.cargo_updated': `La carga de {{ it }} ${CHANGED}`,
  'shipment.invoice_status_changed':
    'El estado de facturación de {{ it }} pasó de «{{ data.from | words }}» a «{{ data.to | words }}».',
  'shipment.rerouted': `La ruta de {{ it }} cambió${PORTS}{% if isOther %}: antes {{ was }}, ahora {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `La fecha de carga lista de {{ it }} cambió: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.desired_delivery_date_changed': `La fecha de entrega deseada de {{ it }} cambió: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Cotización {{ data.to.id | short }} aceptada para {{ it }}.{% else %}La cotización aceptada de {{ it }} cambió{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Las referencias de {{ it }} cambiaron${REFERENCES}.`,
  'shipment.goods_updated': `La descripción de la mercancía de {{ it }} ${CHANGED}`,
  'shipment.updated': `El envío {{ it }} ${CHANGED}`,
  'shipment.delivery_at_risk':
    'La entrega de {{ it }} se espera {{ data.slack_days | days }} después de la fecha deseada{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'La entrega de {{ it }} vuelve a estar en plazo{% if data.slack_days > 0 %}, {{ data.slack_days | days }} antes de la fecha deseada{% endif %}.',
  'shipment.milestone_overdue':
    'Retraso: {{ data.milestone | words }} de {{ it }}, {{ data.hours_late | hours }}{% if data.date %}; fecha prevista {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${WHAT}${WHEN}.`,
  'tracking.event_updated': `${WHAT}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${WHAT}, realizado${WHEN}${BEFORE}.`,
  'tracking.event_retracted':
    '{{ it }}: retirado: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
  'tracking.status_changed': `Seguimiento de {{ it }}: ${STATUS}.`,
  'tracking.position_changed':
    '{% if data.position %}{{ it }} está en {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}La posición de {{ it }} ya no se conoce.{% endif %}',
  'tracking.snapshot': 'Seguimiento de {{ it }}: estado actual.',
  'tracking.updated': `El seguimiento de {{ it }} ${CHANGED}`,
  'invoice.created': `Nueva factura ${CREATED}`,
  'invoice.status_changed': `Factura {{ it }}: ${STATUS}.`,
  'invoice.due_date_changed':
    'El vencimiento de la factura {{ it }} cambió: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'invoice.amount_changed':
    'El importe de la factura {{ it }} pasó de {{ data.from | money }} a {{ data.to | money }}.',
  'invoice.updated': `La factura {{ it }} ${CHANGED}`,
  'invoice.removed': `La factura {{ it }} ${GONE}`,
  'invoice.restored': `La factura {{ it }} ${BACK}`,
  'invoice.snapshot': 'Factura {{ it }}: estado actual.',
  'invoice.due_soon': `La factura {{ it }}${OVER} vence {{ data.days_left | in_days }}{% if data.due_date %}: ${ON}{% endif %}.`,
  'invoice.due': `{% if data.reason == "status" %}La plataforma indica que la factura {{ it }}${OVER} está pendiente de pago{% if data.due_date %}; vencimiento: ${ON}{% endif %}.{% else %}La factura {{ it }}${OVER} vence{% if data.due_date %}: ${ON}{% endif %}.{% endif %}`,
  'invoice.overdue': `La factura {{ it }}${OVER} lleva {{ data.days_overdue | days }} de retraso{% if data.due_date %}; vencimiento: ${ON}{% endif %}.`,
  'invoice.overdue_cleared': 'La factura {{ it }} ya no está vencida.',
  'credit_note.created': `Nueva nota de crédito ${CREATED}`,
  'credit_note.status_changed': `Nota de crédito {{ it }}: ${STATUS}.`,
  'credit_note.due_date_changed':
    'El vencimiento de la nota de crédito {{ it }} cambió: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'credit_note.amount_changed':
    'El importe de la nota de crédito {{ it }} pasó de {{ data.from | money }} a {{ data.to | money }}.',
  'credit_note.updated': `La nota de crédito {{ it }} ${CHANGED}`,
  'credit_note.removed': `La nota de crédito {{ it }} ${GONE}`,
  'credit_note.restored': `La nota de crédito {{ it }} ${BACK}`,
  'credit_note.snapshot': 'Nota de crédito {{ it }}: estado actual.',
  'document.added': `Nuevo documento {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}${OF_SHIPMENT}.`,
  'document.classified': `Documento {{ it }}${OF_SHIPMENT} clasificado{% if data.object.type %} como {{ data.object.type | words }}{% endif %}.`,
  'document.updated': `El documento {{ it }} ${CHANGED}`,
  'document.removed': `El documento {{ it }} ${GONE}`,
  'document.restored': `El documento {{ it }} ${BACK}`,
  'document.snapshot': 'Documento {{ it }}: estado actual.',
  'purchase_order.created':
    'Nuevo pedido {{ it }}{% if data.object.supplier_name %} a {{ data.object.supplier_name | short }}{% endif %}.',
  'purchase_order.updated': `El pedido {{ it }} ${CHANGED}`,
  'purchase_order.removed': `El pedido {{ it }} ${GONE}`,
  'purchase_order.restored': `El pedido {{ it }} ${BACK}`,
  'purchase_order.snapshot': 'Pedido {{ it }}: estado actual.',
  'purchase_order.assigned': `${LINE} asignada al envío {{ data.shipment_id | short }}.`,
  'purchase_order.unassigned': `${LINE} retirada del envío {{ data.shipment_id | short }}.`,
  'purchase_order.shipped_quantity_changed':
    'Las cantidades enviadas del pedido {{ it }}{% if data.shipment_id %} en el envío {{ data.shipment_id | short }}{% endif %} cambiaron{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': `Envío {{ data.shipment_id | short }} del pedido {{ it }}: ${STATUS}.`,
  'purchase_order.eta_changed': 'Entrega prevista del pedido {{ it }} {{ data | moved }}.',
  'purchase_order.delivery_at_risk':
    'La entrega del pedido {{ it }} se espera {{ data.slack_days | days }} después de la fecha deseada{% if data.order_status.desired_delivery_date %}, {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
  'purchase_order.delivery_back_on_track':
    'La entrega del pedido {{ it }} vuelve a estar en plazo{% if data.slack_days > 0 %}, {{ data.slack_days | days }} antes de la fecha deseada{% endif %}.',
  'purchase_order.fully_assigned': 'El pedido {{ it }} está asignado por completo a envíos.',
  'purchase_order.delivered':
    'El pedido {{ it }} se entregó por completo{% if data.date %}: {{ data.date | moment }}{% endif %}.',
  'location.created': 'Nueva ubicación {{ it }}.',
  'location.updated': `La ubicación {{ it }} ${CHANGED}`,
  'location.removed': `La ubicación {{ it }} ${GONE}`,
  'location.restored': `La ubicación {{ it }} ${BACK}`,
  'location.snapshot': 'Ubicación {{ it }}: estado actual.',
  'order_preparation.created': 'Nueva preparación de pedido {{ it }}.',
  'order_preparation.updated': `La preparación de pedido {{ it }} ${CHANGED}`,
  'order_preparation.removed': `La preparación de pedido {{ it }} ${GONE}`,
  'order_preparation.restored': `La preparación de pedido {{ it }} ${BACK}`,
  'order_preparation.snapshot': 'Preparación de pedido {{ it }}: estado actual.',
  'expectation.missed':
    '{{ it }}: {{ data.expectation | short }} se esperaba antes del {{ data.by | moment }} y no ha llegado.',
  'expectation.met':
    '{{ it }}: {{ data.expectation | short }} ha llegado con {{ data.late_by | divided_by: 3600.0 | hours }} de retraso.',
  'expectation.withdrawn':
    '{{ it }}: {{ data.expectation | short }} ya no se espera{% if data.reason == "moved" %} antes del {{ data.by | moment }}{% endif %}.',
  'account.baseline_completed':
    'Cuenta {{ it }}: el estado inicial está completo ({{ data.resource | many }}: {{ data.count }}); lo que cambie desde ahora se comunica.',
  'account.unreachable': `No se puede acceder a la plataforma de la cuenta {{ it }}${REASON}.`,
  'account.unauthorized': `La plataforma rechaza la clave de la cuenta {{ it }}{% if data.resource %} para {{ data.resource | many }}, aunque responde a lo demás{% endif %}${REASON}.`,
  'account.paused': `La plataforma de la cuenta {{ it }} pide que no se le consulte hasta el {{ data.until | moment }}: hasta entonces no se lee nada${REASON}.`,
  'account.recovered':
    '{% if data.was == "list_stale" %}Cuenta {{ it }}: la lista vuelve a mostrar lo mismo que las consultas una a una ({{ data.resource | many }}).{% else %}La plataforma de la cuenta {{ it }} vuelve a responder{% if data.resource %}: {{ data.resource | many }}{% endif %}.{% endif %}',
  'account.list_incomplete': `Cuenta {{ it }}: la lista no se puede leer entera ({{ data.resource | many }})${REASON}. El resto se sigue y nada de ello se da por eliminado.`,
  'account.list_stale':
    'Cuenta {{ it }}: la lista muestra filas antiguas ({{ data.resource | many }}; {{ data.differed }} de {{ data.sampled }} consultadas una a una difieren): los cambios pueden comunicarse tarde, hasta que la plataforma corrija su lista.',
  'account.clock_differs':
    'Cuenta {{ it }}: el reloj de esta máquina va {{ data.difference_seconds | divided_by: 3600.0 | hours }} {% if data.difference_seconds > 0 %}adelantado{% else %}atrasado{% endif %} respecto a la plataforma: los vencimientos se comunican cuando ambos relojes los alcanzan.',
  'account.removals_held':
    'Cuenta {{ it }}: {{ data.missing }} de {{ data.known }} parecen haber desaparecido ({{ data.resource | many }}), sin confirmar: decida con `shipbell holds list`.',
  'account.schema_drift':
    'Cuenta {{ it }}: apareció un campo desconocido en la interfaz ({{ data.resource | many }}): {{ data.path | short }}.',
  'account.record_rejected':
    'Cuenta {{ it }}: {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}un registro ({{ data.resource | many }}){% endif %} ilegible{% if data.more > 0 %} (y {{ data.more }} más){% endif %}: {{ data.reason | clause }}.',
  'endpoint.failing': `El punto de recepción de {{ it }} está fallando${REASON}. Los envíos se siguen intentando.`,
  'endpoint.exhausted': `El punto de recepción de {{ it }} no aceptó un evento ni en el último intento${REASON}. Se conserva para \`shipbell deliveries retry --subscription {{ subject.id }} --since 30d\`.`,
  'endpoint.disabled': `El punto de recepción de {{ it }} está desactivado${REASON}. Sus eventos esperan a \`shipbell subscriptions enable {{ subject.id }}\`.`,
  'endpoint.recovered': 'El punto de recepción de {{ it }} vuelve a aceptar eventos.',
  'endpoint.filter_failed': `El \`where\` de {{ it }} no se pudo evaluar${REASON}. El evento se entregó.`,
  'shipbell.configuration_rejected':
    'La configuración {{ data.file | short }} se rechazó ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %} y {{ others }} más{% endif %}) y la anterior sigue en vigor: `shipbell check` dice qué corregir.',
  'shipbell.watermark': 'Lo que recibe {{ it }} ha terminado hasta la posición {{ data.complete_through }}.',
  'shipbell.test': 'Una prueba del punto de recepción de {{ it }}.',
}
