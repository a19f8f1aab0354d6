import { FAR, PORTS, REFERENCES } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'

export const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes and data.date_change.shift_minutes != 0 %}, {{ data.date_change | shift }} que la dernière date connue{% endif %}'
export const CONTAINER =
  '{% if data.container.container_number %}Conteneur {{ data.container.container_number | short }}{% else %}Un conteneur sans numéro{% endif %}'
export const LINE =
  '{% if data.line.reference %}Ligne {{ data.line.reference | short }}{% else %}Une ligne{% endif %} de la commande {{ it }}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} de l’expédition {{ data.object.platform_shipment_id | short }}{% endif %}'
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} de {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER}{% if data.object.due_date %}, échéance {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'
const STATUS = 'statut passé de « {{ data.from | words }} » à « {{ data.to | words }} »'
const WHAT = '{{ it }} : {{ data.event | happening }}{{ data.step | at }}'
export const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
export const BEFORE = '{% assign before = data | before %}{% if before != "" %} ; auparavant : {{ before }}{% endif %}'
export const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %} ; auparavant : {{ named }}{% endif %}'
const REASON = '{% if data.reason %} : {{ data.reason | clause }}{% endif %}'
const GONE = 'plus présent sur la plateforme.'
const BACK = 'de nouveau présent sur la plateforme.'
export const CHANGED = 'modifié{{ data.changes | changed }}.'
export const CHANGED_F = 'modifiée{{ data.changes | changed }}.'

export const FRENCH_SENTENCES: TranslatedSentences = {
  'shipment.created': 'Nouvelle expédition {{ it }}{{ data.object | journey }}.',
  'shipment.removed': 'L’expédition {{ it }} n’est plus présente sur la plateforme.',
  'shipment.restored': 'L’expédition {{ it }} est de nouveau présente sur la plateforme.',
  'shipment.snapshot': 'Expédition {{ it }}, état actuel{{ data.object | journey }}.',
  'shipment.status_changed': `Expédition {{ it }} : ${STATUS}{% if data.regression %}, un retour en arrière{% endif %}.`,
  'shipment.pickup_date_changed': 'Enlèvement de {{ it }} : {{ data.date_change | moved }}.',
  'shipment.etd_changed': 'Départ (ETD) de {{ it }} : {{ data.date_change | moved }}.',
  'shipment.eta_changed': 'Arrivée (ETA) de {{ it }} : {{ data.date_change | moved }}.',
  'shipment.delivery_date_changed': 'Livraison de {{ it }} : {{ data.date_change | moved }}.',
  'shipment.picked_up': `{{ it }} : enlèvement effectué, ${REACHED}.`,
  'shipment.departed': `{{ it }} : départ effectué, ${REACHED}.`,
  'shipment.arrived': `{{ it }} : arrivée à destination, ${REACHED}.`,
  'shipment.delivered': `{{ it }} : livraison effectuée, ${REACHED}.`,
  'shipment.milestone_corrected':
    'Date réelle, {{ data.date_change.milestone | words }} de {{ it }} : {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Problème signalé : {{ data.date_change.milestone | words }} de {{ it }}{% if data.date_change.to.date %}, date prévue {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Problème levé : {{ data.date_change.milestone | words }} de {{ it }}{% if data.date_change.to.date %}, désormais {{ data.date_change.to.status | words }} : {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': '{{ it }} : report (roll-over) de {{ data.from | carriage }} à {{ data.to | carriage }}.',
  'shipment.booking_updated': `Réservation de {{ it }} ${CHANGED_F}`,
  'shipment.container_added': `${CONTAINER} ajouté à {{ it }}.`,
  'shipment.container_updated': `${CONTAINER} de {{ it }} ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} retiré de {{ it }}.`,
  'shipment.cargo_updated': `Marchandise de {{ it }} ${CHANGED_F}`,
  'shipment.invoice_status_changed': `Facturation de {{ it }} : ${STATUS}.`,
  'shipment.rerouted': `Trajet de {{ it }} modifié${PORTS}{% if isOther %} : {{ was }} devient {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Date de mise à disposition de {{ it }} modifiée : {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Date de livraison souhaitée de {{ it }} modifiée : {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Devis {{ data.to.id | short }} accepté pour {{ it }}.{% else %}Devis accepté de {{ it }} modifié{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `Références de {{ it }} modifiées${REFERENCES}.`,
  'shipment.goods_updated': `Description des marchandises de {{ it }} ${CHANGED_F}`,
  'shipment.updated': `Expédition {{ it }} ${CHANGED_F}`,
  'shipment.delivery_at_risk':
    'La livraison de {{ it }} est attendue {{ data.slack_days | days }} après la date souhaitée{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'La livraison de {{ it }} est de nouveau dans les temps{% if data.slack_days > 0 %}, {{ data.slack_days | days }} avant la date souhaitée{% endif %}.',
  'shipment.milestone_overdue':
    'Retard : {{ data.milestone | words }} de {{ it }}, {{ data.hours_late | hours }}{% if data.date %} ; date prévue {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${WHAT}${WHEN}.`,
  'tracking.event_updated': `${WHAT}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${WHAT}, effectué${WHEN}${BEFORE}.`,
  'tracking.event_retracted':
    '{{ it }} : retiré : {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
  'tracking.status_changed': `Suivi de {{ it }} : ${STATUS}.`,
  'tracking.position_changed':
    '{% if data.position %}{{ it }} se trouve à {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}La position de {{ it }} n’est plus connue.{% endif %}',
  'tracking.snapshot': 'Suivi de {{ it }} : état actuel.',
  'tracking.updated': `Suivi de {{ it }} ${CHANGED}`,
  'invoice.created': `Nouvelle facture ${CREATED}`,
  'invoice.status_changed': `Facture {{ it }} : ${STATUS}.`,
  'invoice.due_date_changed':
    'Facture {{ it }} : échéance modifiée, {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'invoice.amount_changed': 'Facture {{ it }} : montant modifié, {{ data.from | money }} → {{ data.to | money }}.',
  'invoice.updated': `Facture {{ it }} ${CHANGED_F}`,
  'invoice.removed': 'La facture {{ it }} n’est plus présente sur la plateforme.',
  'invoice.restored': 'La facture {{ it }} est de nouveau présente sur la plateforme.',
  'invoice.snapshot': 'Facture {{ it }} : état actuel.',
  'invoice.due_soon': `Facture {{ it }}${OVER} : échéance {{ data.days_left | in_days }}{% if data.due_date %}, ${ON}{% endif %}.`,
  'invoice.due': `{% if data.reason == "status" %}La plateforme indique que la facture {{ it }}${OVER} est exigible{% if data.due_date %} ; échéance : ${ON}{% endif %}.{% else %}Facture {{ it }}${OVER} à échéance{% if data.due_date %} : ${ON}{% endif %}.{% endif %}`,
  'invoice.overdue': `Facture {{ it }}${OVER} en retard de {{ data.days_overdue | days }}{% if data.due_date %} ; échéance : ${ON}{% endif %}.`,
  'invoice.overdue_cleared': 'La facture {{ it }} n’est plus en retard.',
  'credit_note.created': `Nouvel avoir ${CREATED}`,
  'credit_note.status_changed': `Avoir {{ it }} : ${STATUS}.`,
  'credit_note.due_date_changed':
    'Avoir {{ it }} : échéance modifiée, {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'credit_note.amount_changed': 'Avoir {{ it }} : montant modifié, {{ data.from | money }} → {{ data.to | money }}.',
  'credit_note.updated': `Avoir {{ it }} ${CHANGED}`,
  'credit_note.removed': `L’avoir {{ it }} n’est ${GONE}`,
  'credit_note.restored': `L’avoir {{ it }} est ${BACK}`,
  'credit_note.snapshot': 'Avoir {{ it }} : état actuel.',
  'document.added': `Nouveau document {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}${OF_SHIPMENT}.`,
  'document.classified': `Document {{ it }}${OF_SHIPMENT} classé{% if data.object.type %} : {{ data.object.type | words }}{% endif %}.`,
  'document.updated': `Document {{ it }} ${CHANGED}`,
  'document.removed': `Le document {{ it }} n’est ${GONE}`,
  'document.restored': `Le document {{ it }} est ${BACK}`,
  'document.snapshot': 'Document {{ it }} : état actuel.',
  'purchase_order.created':
    'Nouvelle commande {{ it }}{% if data.object.supplier_name %} auprès de {{ data.object.supplier_name | short }}{% endif %}.',
  'purchase_order.updated': `Commande {{ it }} ${CHANGED_F}`,
  'purchase_order.removed': 'La commande {{ it }} n’est plus présente sur la plateforme.',
  'purchase_order.restored': 'La commande {{ it }} est de nouveau présente sur la plateforme.',
  'purchase_order.snapshot': 'Commande {{ it }} : état actuel.',
  'purchase_order.assigned': `${LINE} affectée à l’expédition {{ data.shipment_id | short }}.`,
  'purchase_order.unassigned': `${LINE} retirée de l’expédition {{ data.shipment_id | short }}.`,
  'purchase_order.shipped_quantity_changed':
    'Quantités expédiées de la commande {{ it }}{% if data.shipment_id %}, expédition {{ data.shipment_id | short }}{% endif %} modifiées{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': `Expédition {{ data.shipment_id | short }} de la commande {{ it }} : ${STATUS}.`,
  'purchase_order.eta_changed': 'Livraison prévue de la commande {{ it }} : {{ data | moved }}.',
  'purchase_order.delivery_at_risk':
    'La livraison de la commande {{ it }} est attendue {{ data.slack_days | days }} après la date souhaitée{% if data.order_status.desired_delivery_date %}, {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
  'purchase_order.delivery_back_on_track':
    'La livraison de la commande {{ it }} est de nouveau dans les temps{% if data.slack_days > 0 %}, {{ data.slack_days | days }} avant la date souhaitée{% endif %}.',
  'purchase_order.fully_assigned': 'La commande {{ it }} est entièrement affectée à des expéditions.',
  'purchase_order.delivered':
    'La commande {{ it }} est entièrement livrée{% if data.date %}, {{ data.date | moment }}{% endif %}.',
  'location.created': 'Nouveau site {{ it }}.',
  'location.updated': `Site {{ it }} ${CHANGED}`,
  'location.removed': `Le site {{ it }} n’est ${GONE}`,
  'location.restored': `Le site {{ it }} est ${BACK}`,
  'location.snapshot': 'Site {{ it }} : état actuel.',
  'order_preparation.created': 'Nouvelle préparation de commande {{ it }}.',
  'order_preparation.updated': `Préparation de commande {{ it }} ${CHANGED_F}`,
  'order_preparation.removed': 'La préparation de commande {{ it }} n’est plus présente sur la plateforme.',
  'order_preparation.restored': 'La préparation de commande {{ it }} est de nouveau présente sur la plateforme.',
  'order_preparation.snapshot': 'Préparation de commande {{ it }} : état actuel.',
  'expectation.missed':
    '{{ it }} : {{ data.expectation | short }} était attendu pour le {{ data.by | moment }} et n’est pas arrivé.',
  'expectation.met':
    '{{ it }} : {{ data.expectation | short }} est arrivé avec {{ data.late_by | divided_by: 3600.0 | hours }} de retard.',
  'expectation.withdrawn':
    '{{ it }} : {{ data.expectation | short }} n’est plus attendu{% if data.reason == "moved" %} pour le {{ data.by | moment }}{% endif %}.',
  'account.baseline_completed':
    'Compte {{ it }} : l’état initial est complet ({{ data.resource | many }} : {{ data.count }}) ; ce qui change désormais est signalé.',
  'account.unreachable': `La plateforme du compte {{ it }} est injoignable${REASON}.`,
  'account.unauthorized': `La plateforme refuse la clé du compte {{ it }}{% if data.resource %} pour : {{ data.resource | many }}, alors qu’elle répond pour le reste{% endif %}${REASON}.`,
  'account.paused': `La plateforme du compte {{ it }} demande à ne plus être interrogée jusqu’au {{ data.until | moment }} : rien n’est lu d’ici là${REASON}.`,
  'account.recovered':
    '{% if data.was == "list_stale" %}Compte {{ it }} : la liste montre de nouveau ce que montrent les lectures une à une ({{ data.resource | many }}).{% else %}La plateforme du compte {{ it }} répond de nouveau{% if data.resource %} : {{ data.resource | many }}{% endif %}.{% endif %}',
  'account.list_incomplete': `Compte {{ it }} : la liste n’est pas lisible en entier ({{ data.resource | many }})${REASON}. Le reste est suivi, rien n’en est considéré comme supprimé.`,
  'account.list_stale':
    'Compte {{ it }} : la liste montre d’anciennes lignes ({{ data.resource | many }} ; {{ data.differed }} sur {{ data.sampled }} lues une à une diffèrent) : les changements peuvent être signalés en retard, jusqu’à ce que la plateforme corrige sa liste.',
  'account.clock_differs':
    'Compte {{ it }} : l’horloge de cette machine {% if data.difference_seconds > 0 %}avance{% else %}retarde{% endif %} de {{ data.difference_seconds | divided_by: 3600.0 | hours }} sur la plateforme : les échéances sont signalées quand les deux horloges les ont atteintes.',
  'account.removals_held':
    'Compte {{ it }} : {{ data.missing }} sur {{ data.known }} semblent disparus ({{ data.resource | many }}), sans confirmation : `shipbell holds list` permet de trancher.',
  'account.schema_drift':
    'Compte {{ it }} : un champ inconnu de l’interface est apparu ({{ data.resource | many }}) : {{ data.path | short }}.',
  'account.record_rejected':
    'Compte {{ it }} : {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}un enregistrement ({{ data.resource | many }}){% endif %} illisible{% if data.more > 0 %} (et {{ data.more }} de plus){% endif %} : {{ data.reason | clause }}.',
  'endpoint.failing': `Le point de réception de {{ it }} est en échec${REASON}. Les envois continuent d’être tentés.`,
  'endpoint.exhausted': `Le point de réception de {{ it }} n’a pas pris un événement, même au dernier essai${REASON}. Il est conservé pour \`shipbell deliveries retry --subscription {{ subject.id }} --since 30d\`.`,
  'endpoint.disabled': `Le point de réception de {{ it }} est désactivé${REASON}. Ses événements attendent \`shipbell subscriptions enable {{ subject.id }}\`.`,
  'endpoint.recovered': 'Le point de réception de {{ it }} prend de nouveau les événements.',
  'endpoint.filter_failed': `Le \`where\` de {{ it }} n’a pas pu être évalué${REASON}. L’événement a été envoyé.`,
  'shipbell.configuration_rejected':
    'La configuration {{ data.file | short }} a été refusée ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %} et {{ others }} de plus{% endif %}), la précédente reste en vigueur : `shipbell check` dit ce qu’il faut corriger.',
  'shipbell.watermark': 'Ce que reçoit {{ it }} est terminé jusqu’à la position {{ data.complete_through }}.',
  'shipbell.test': 'Un essai du point de réception de {{ it }}.',
}
