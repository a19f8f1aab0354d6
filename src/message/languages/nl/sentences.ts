import { FAR, PORTS, REFERENCES } from '../../phrases/shared.ts'
import type { TranslatedSentences } from '../translation.ts'

export const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes and data.date_change.shift_minutes != 0 %}, {{ data.date_change | shift }} dan laatst bekend{% endif %}'
export const CONTAINER =
  '{% if data.container.container_number %}Container {{ data.container.container_number | short }}{% else %}Een container zonder nummer{% endif %}'
export const LINE =
  '{% if data.line.reference %}Regel {{ data.line.reference | short }}{% else %}Een regel{% endif %} van inkooporder {{ it }}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} van zending {{ data.object.platform_shipment_id | short }}{% endif %}'
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} van {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER}{% if data.object.due_date %}, vervaldatum {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'
const STATUS = 'status gewijzigd van ‘{{ data.from | words }}’ naar ‘{{ data.to | words }}’'
const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
export const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
export const BEFORE = '{% assign before = data | before %}{% if before != "" %}; eerder: {{ before }}{% endif %}'
export const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; eerder: {{ named }}{% endif %}'
const REASON = '{% if data.reason %}: {{ data.reason | clause }}{% endif %}'
const GONE = 'staat niet meer op het platform.'
const BACK = 'staat weer op het platform.'
export const CHANGED = 'gewijzigd{{ data.changes | changed }}.'

export const DUTCH_SENTENCES: TranslatedSentences = {
  'shipment.created': 'Nieuwe zending {{ it }}{{ data.object | journey }}.',
  'shipment.removed': `Zending {{ it }} ${GONE}`,
  'shipment.restored': `Zending {{ it }} ${BACK}`,
  'shipment.snapshot': 'Zending {{ it }}, actuele stand{{ data.object | journey }}.',
  'shipment.status_changed': `Zending {{ it }}: ${STATUS}{% if data.regression %}, een stap terug{% endif %}.`,
  'shipment.pickup_date_changed': 'Ophalen van {{ it }} {{ data.date_change | moved }}.',
  'shipment.etd_changed': 'Vertrek (ETD) van {{ it }} {{ data.date_change | moved }}.',
  'shipment.eta_changed': 'Aankomst (ETA) van {{ it }} {{ data.date_change | moved }}.',
  'shipment.delivery_date_changed': 'Levering van {{ it }} {{ data.date_change | moved }}.',
  'shipment.picked_up': `{{ it }} is opgehaald op ${REACHED}.`,
  'shipment.departed': `{{ it }} is vertrokken op ${REACHED}.`,
  'shipment.arrived': `{{ it }} is aangekomen op ${REACHED}.`,
  'shipment.delivered': `{{ it }} is geleverd op ${REACHED}.`,
  'shipment.milestone_corrected':
    'Werkelijke datum ({{ data.date_change.milestone | words }}) van {{ it }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'Probleem gemeld: {{ data.date_change.milestone | words }} van {{ it }}{% if data.date_change.to.date %}, verwacht {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'Probleem opgelost: {{ data.date_change.milestone | words }} van {{ it }}{% if data.date_change.to.date %}, nu {{ data.date_change.to.status | words }} voor {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': '{{ it }} is doorgeschoven van {{ data.from | carriage }} naar {{ data.to | carriage }}.',
  'shipment.booking_updated': `De boeking van {{ it }} is ${CHANGED}`,
  'shipment.container_added': `${CONTAINER} is toegevoegd aan {{ it }}.`,
  'shipment.container_updated': `${CONTAINER} van {{ it }} is ${CHANGED}`,
  'shipment.container_removed': `${CONTAINER} hoort niet meer bij {{ it }}.`,
  'shipment.cargo_updated': `De lading van {{ it }} is ${CHANGED}`,
  'shipment.invoice_status_changed':
    'Factuurstatus van {{ it }} gewijzigd van ‘{{ data.from | words }}’ naar ‘{{ data.to | words }}’.',
  'shipment.rerouted': `{{ it }} is omgeleid${PORTS}{% if isOther %}: eerst {{ was }}, nu {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `De datum lading gereed van {{ it }} is gewijzigd: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.desired_delivery_date_changed': `De gewenste leverdatum van {{ it }} is gewijzigd: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Offerte {{ data.to.id | short }} is geaccepteerd voor {{ it }}.{% else %}De geaccepteerde offerte van {{ it }} is gewijzigd{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `De referenties van {{ it }} zijn gewijzigd${REFERENCES}.`,
  'shipment.goods_updated': `De goederengegevens van {{ it }} zijn ${CHANGED}`,
  'shipment.updated': `Zending {{ it }} is ${CHANGED}`,
  'shipment.delivery_at_risk':
    'De levering van {{ it }} wordt {{ data.slack_days | days }} na de gewenste datum verwacht{% if data.object.desired_delivery_date %}: {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'De levering van {{ it }} ligt weer op schema{% if data.slack_days > 0 %}, {{ data.slack_days | days }} voor de gewenste datum{% endif %}.',
  'shipment.milestone_overdue':
    'Vertraging: {{ data.milestone | words }} van {{ it }}, {{ data.hours_late | hours }} te laat{% if data.date %}, verwacht {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${WHAT}${WHEN}.`,
  'tracking.event_updated': `${WHAT}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${WHAT} heeft plaatsgevonden${WHEN}${BEFORE}.`,
  'tracking.event_retracted':
    '{{ it }}: ingetrokken: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
  'tracking.status_changed': `Tracking van {{ it }}: ${STATUS}.`,
  'tracking.position_changed':
    '{% if data.position %}{{ it }} bevindt zich op {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}De positie van {{ it }} is niet meer bekend.{% endif %}',
  'tracking.snapshot': 'Tracking van {{ it }}: actuele stand.',
  'tracking.updated': `Tracking van {{ it }} is ${CHANGED}`,
  'invoice.created': `Nieuwe factuur ${CREATED}`,
  'invoice.status_changed': `Factuur {{ it }}: ${STATUS}.`,
  'invoice.due_date_changed':
    'De vervaldatum van factuur {{ it }} is gewijzigd: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'invoice.amount_changed':
    'Het bedrag van factuur {{ it }} is gewijzigd van {{ data.from | money }} naar {{ data.to | money }}.',
  'invoice.updated': `Factuur {{ it }} is ${CHANGED}`,
  'invoice.removed': `Factuur {{ it }} ${GONE}`,
  'invoice.restored': `Factuur {{ it }} ${BACK}`,
  'invoice.snapshot': 'Factuur {{ it }}: actuele stand.',
  'invoice.due_soon': `Factuur {{ it }}${OVER} vervalt {{ data.days_left | in_days }}{% if data.due_date %}, op ${ON}{% endif %}.`,
  'invoice.due': `{% if data.reason == "status" %}Volgens het platform is factuur {{ it }}${OVER} te betalen{% if data.due_date %}; vervaldatum: ${ON}{% endif %}.{% else %}Factuur {{ it }}${OVER} vervalt{% if data.due_date %} op ${ON}{% endif %}.{% endif %}`,
  'invoice.overdue': `Factuur {{ it }}${OVER} is {{ data.days_overdue | days }} over de vervaldatum{% if data.due_date %}: ${ON}{% endif %}.`,
  'invoice.overdue_cleared': 'Factuur {{ it }} is niet langer over de vervaldatum.',
  'credit_note.created': `Nieuwe creditnota ${CREATED}`,
  'credit_note.status_changed': `Creditnota {{ it }}: ${STATUS}.`,
  'credit_note.due_date_changed':
    'De vervaldatum van creditnota {{ it }} is gewijzigd: {{ data.from | date_or_none }} → {{ data.to | date_or_none }}.',
  'credit_note.amount_changed':
    'Het bedrag van creditnota {{ it }} is gewijzigd van {{ data.from | money }} naar {{ data.to | money }}.',
  'credit_note.updated': `Creditnota {{ it }} is ${CHANGED}`,
  'credit_note.removed': `Creditnota {{ it }} ${GONE}`,
  'credit_note.restored': `Creditnota {{ it }} ${BACK}`,
  'credit_note.snapshot': 'Creditnota {{ it }}: actuele stand.',
  'document.added': `Nieuw document {{ it }}{% if data.object.type %} ({{ data.object.type | words }}){% endif %}${OF_SHIPMENT}.`,
  'document.classified': `Document {{ it }}${OF_SHIPMENT} is ingedeeld{% if data.object.type %} als {{ data.object.type | words }}{% endif %}.`,
  'document.updated': `Document {{ it }} is ${CHANGED}`,
  'document.removed': `Document {{ it }} ${GONE}`,
  'document.restored': `Document {{ it }} ${BACK}`,
  'document.snapshot': 'Document {{ it }}: actuele stand.',
  'purchase_order.created':
    'Nieuwe inkooporder {{ it }}{% if data.object.supplier_name %} bij {{ data.object.supplier_name | short }}{% endif %}.',
  'purchase_order.updated': `Inkooporder {{ it }} is ${CHANGED}`,
  'purchase_order.removed': `Inkooporder {{ it }} ${GONE}`,
  'purchase_order.restored': `Inkooporder {{ it }} ${BACK}`,
  'purchase_order.snapshot': 'Inkooporder {{ it }}: actuele stand.',
  'purchase_order.assigned': `${LINE} is toegewezen aan zending {{ data.shipment_id | short }}.`,
  'purchase_order.unassigned': `${LINE} is niet meer toegewezen aan zending {{ data.shipment_id | short }}.`,
  'purchase_order.shipped_quantity_changed': `Verzonden hoeveelheden van inkooporder {{ it }}{% if data.shipment_id %} in zending {{ data.shipment_id | short }}{% endif %} zijn ${CHANGED}`,
  'purchase_order.shipment_status_changed': `Zending {{ data.shipment_id | short }} van inkooporder {{ it }}: ${STATUS}.`,
  'purchase_order.eta_changed': 'Verwachte levering van inkooporder {{ it }} {{ data | moved }}.',
  'purchase_order.delivery_at_risk':
    'De levering van inkooporder {{ it }} wordt {{ data.slack_days | days }} na de gewenste datum verwacht{% if data.order_status.desired_delivery_date %}: {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
  'purchase_order.delivery_back_on_track':
    'De levering van inkooporder {{ it }} ligt weer op schema{% if data.slack_days > 0 %}, {{ data.slack_days | days }} voor de gewenste datum{% endif %}.',
  'purchase_order.fully_assigned': 'Inkooporder {{ it }} is volledig toegewezen aan zendingen.',
  'purchase_order.delivered':
    'Inkooporder {{ it }} is volledig geleverd{% if data.date %} op {{ data.date | moment }}{% endif %}.',
  'location.created': 'Nieuwe locatie {{ it }}.',
  'location.updated': `Locatie {{ it }} is ${CHANGED}`,
  'location.removed': `Locatie {{ it }} ${GONE}`,
  'location.restored': `Locatie {{ it }} ${BACK}`,
  'location.snapshot': 'Locatie {{ it }}: actuele stand.',
  'order_preparation.created': 'Nieuwe ordervoorbereiding {{ it }}.',
  'order_preparation.updated': `Ordervoorbereiding {{ it }} is ${CHANGED}`,
  'order_preparation.removed': `Ordervoorbereiding {{ it }} ${GONE}`,
  'order_preparation.restored': `Ordervoorbereiding {{ it }} ${BACK}`,
  'order_preparation.snapshot': 'Ordervoorbereiding {{ it }}: actuele stand.',
  'expectation.missed':
    '{{ it }}: {{ data.expectation | short }} werd verwacht vóór {{ data.by | moment }} en is uitgebleven.',
  'expectation.met':
    '{{ it }}: {{ data.expectation | short }} is er, {{ data.late_by | divided_by: 3600.0 | hours }} te laat.',
  'expectation.withdrawn':
    '{{ it }}: {{ data.expectation | short }} wordt niet meer verwacht{% if data.reason == "moved" %} vóór {{ data.by | moment }}{% endif %}.',
  'account.baseline_completed':
    'Account {{ it }}: de beginstand is volledig ({{ data.resource | many }}: {{ data.count }}); wat vanaf nu verandert, wordt gemeld.',
  'account.unreachable': `Het platform van account {{ it }} is niet bereikbaar${REASON}.`,
  'account.unauthorized': `Het platform weigert de sleutel van account {{ it }}{% if data.resource %} voor {{ data.resource | many }}, maar antwoordt verder wel{% endif %}${REASON}.`,
  'account.paused': `Het platform van account {{ it }} wil tot {{ data.until | moment }} met rust gelaten worden: tot dan wordt niets gelezen${REASON}.`,
  'account.recovered':
    '{% if data.was == "list_stale" %}Account {{ it }}: de lijst toont weer wat apart ophalen toont ({{ data.resource | many }}).{% else %}Het platform van account {{ it }} antwoordt weer{% if data.resource %}: {{ data.resource | many }}{% endif %}.{% endif %}',
  'account.list_incomplete': `Account {{ it }}: niet alles is leesbaar ({{ data.resource | many }})${REASON}. Al het andere wordt gevolgd, niets daarvan geldt als verwijderd.`,
  'account.list_stale':
    'Account {{ it }}: de lijst toont oude regels ({{ data.resource | many }}; {{ data.differed }} van {{ data.sampled }} die apart zijn opgehaald, wijken af): wijzigingen worden mogelijk te laat gemeld, tot het platform zijn lijst herstelt.',
  'account.clock_differs':
    'Account {{ it }}: de klok van deze machine loopt {{ data.difference_seconds | divided_by: 3600.0 | hours }} {% if data.difference_seconds > 0 %}voor{% else %}achter{% endif %} op het platform: vervaldata worden gemeld zodra beide klokken ze hebben bereikt.',
  'account.removals_held':
    'Account {{ it }}: {{ data.missing }} van {{ data.known }} lijken verdwenen ({{ data.resource | many }}), wat niet bevestigd is: beslis met `shipbell holds list`.',
  'account.schema_drift':
    'Account {{ it }}: een veld dat de interface niet kent, is verschenen ({{ data.resource | many }}): {{ data.path | short }}.',
  'account.record_rejected':
    'Account {{ it }}: {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}een record ({{ data.resource | many }}){% endif %} is onleesbaar{% if data.more > 0 %} (en nog {{ data.more }}){% endif %}: {{ data.reason | clause }}.',
  'endpoint.failing': `Het eindpunt van {{ it }} faalt${REASON}. De bezorging wordt nog steeds geprobeerd.`,
  'endpoint.exhausted': `Het eindpunt van {{ it }} nam een gebeurtenis niet aan, ook niet bij de laatste poging${REASON}. Ze blijft bewaard voor \`shipbell deliveries retry --subscription {{ subject.id }} --since 30d\`.`,
  'endpoint.disabled': `Het eindpunt van {{ it }} is uitgeschakeld${REASON}. Zijn gebeurtenissen wachten op \`shipbell subscriptions enable {{ subject.id }}\`.`,
  'endpoint.recovered': 'Het eindpunt van {{ it }} neemt weer gebeurtenissen aan.',
  'endpoint.filter_failed': `De \`where\` van {{ it }} kon niet worden beoordeeld${REASON}. De gebeurtenis is verstuurd.`,
  'shipbell.configuration_rejected':
    'De configuratie {{ data.file | short }} is geweigerd ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %} en nog {{ others }}{% endif %}), de vorige blijft van kracht: `shipbell check` zegt wat er te verbeteren is.',
  'shipbell.watermark': 'Wat {{ it }} ontvangt, is afgerond tot en met positie {{ data.complete_through }}.',
  'shipbell.test': 'Een proef van het eindpunt van {{ it }}.',
}
