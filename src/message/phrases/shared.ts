/** How far a day went, in any language: `, 3 days later`. */
export const FAR = '{% assign far = data | day_shift %}{% if far != "" %}, {{ far }}{% endif %}'

/** Names the ports of both routes `was` and `now`; `isOther` where both are known and differ. */
export const PORTS =
  '{% assign was = data.from | ports %}{% assign now = data.to | ports %}{% assign isOther = false %}{% if was != now and was != "" and now != "" %}{% assign isOther = true %}{% endif %}'

/** Which references joined and left; where none did as a whole, the changed parts. */
export const REFERENCES =
  '{% assign turned = data | references %}{% if turned != "" %}{{ turned }}{% else %}{{ data.changes | changed }}{% endif %}'
