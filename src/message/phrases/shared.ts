/** How far a day went, in any language: `, 3 days later`. */
export const FAR = '{% assign far = data | day_shift %}{% if far != "" %}, {{ far }}{% endif %}'

/** Names the ports of both routes `was` and `now`; `isOther` where both are known and differ. */
export const PORTS =
  '{% assign was = data.from | ports %}{% assign now = data.to | ports %}{% assign isOther = false %}{% if was != now and was != "" and now != "" %}{% assign isOther = true %}{% endif %}'

/** Which references joined and left; where none did as a whole, the changed parts. */
export const REFERENCES =
  '{% assign turned = data | references %}{% if turned != "" %}{{ turned }}{% else %}{{ data.changes | changed }}{% endif %}'

/** What became of a date, in any language: `ETA 12 → 17 Dec, 5 days later`; else behind its name what is said of it. */
export function dateLine(name: string): string {
  return `{% assign net = data.date_change | net_move %}{% if net != "" %}{{ net }}{% else %}${name} {{ data.date_change | moved }}{% endif %}.`
}

/** What happened in tracking, without whose it is. */
export const HAPPENED = '{{ data.event | happening }}{{ data.step | at }}'
/** What is said no longer to have happened in tracking, and when it was. */
export const RETRACTED =
  '{{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}'
/** Where a shipment is, in degrees. */
export const POSITION = '{{ data.position.latitude | short }}, {{ data.position.longitude | short }}'
export const SIDES = '{{ data.from | date_or_none }} → {{ data.to | date_or_none }}'
/** The name of what an expectation is about, where that is not the shipment itself. */
export const WHOSE = '{% if subject.resource != "shipment" %}{{ it }}: {% endif %}'
