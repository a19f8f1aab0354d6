import type { Severity } from '../../../model/severity.ts'

/** The colours of a tone on a light ground: the edge of a card, and a count. */
interface ToneColours {
  readonly edge: string
  readonly ground: string
  readonly ink: string
}

/** What the template calls `tones`. */
export const TONE_COLOURS: Readonly<Record<Severity, ToneColours>> = {
  critical: { edge: '#c8281c', ground: '#fde7e5', ink: '#a31d13' },
  warning: { edge: '#d98200', ground: '#fdf0d9', ink: '#855000' },
  good: { edge: '#1a8548', ground: '#dff4e7', ink: '#11683a' },
  neutral: { edge: '#8793a1', ground: '#dfe5ec', ink: '#3c4856' },
}

const FONT = 'font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;color:#17202b'
const DIM = 'color:#55616f'
const LINK = 'color:#0b5cad'
/** Between two cards, for Outlook, in which a table has no margin. */
const GAP = '<!--[if mso]><p style="margin:0;line-height:12px">&nbsp;</p><![endif]-->'
const CARD = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 12px"><tr><td class="card {{ tone }}" bgcolor="#ffffff" style="${FONT};padding:14px 16px;background:#ffffff;border-left:4px solid {{ tones[tone].edge }};border-radius:8px;overflow-wrap:anywhere">`
const CARD_END = `</td></tr></table>${GAP}`

/**
 * What `MailView` is in HTML that phones, webmail and desktop programs show alike: one column, text of 16 px and more, nothing
 * that is loaded from anywhere. Light colours, widths and the font stand at the elements, for programs that drop `<style>`
 * (Gmail with accounts of others); what Outlook on Windows pads and colours are cells of tables. `<style>` adds the dark ones.
 * Long mails are cut by some readers at about 100 kB, so an item has few tags.
 */
export const HTML_TEMPLATE = `<!DOCTYPE html>
<html lang="{{ language }}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>{{ title }}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
@media (prefers-color-scheme: dark) {
body, .page { background: #11161c !important; }
.col, .card, .fact td { color: #e7ecf2 !important; }
.card { background: #1c242d !important; }
.lead, .fact .of, .foot { color: #a4b0be !important; }
a { color: #7db8f5 !important; }
.card.critical { border-left-color: #ff6f61 !important; }
.card.warning { border-left-color: #f2ab3c !important; }
.card.good { border-left-color: #4cc982 !important; }
.chip.critical { background: #4a1d1a !important; color: #ffb3ab !important; }
.chip.warning { background: #45330f !important; color: #ffd28a !important; }
.chip.good { background: #143a26 !important; color: #92e3b4 !important; }
.chip.neutral { background: #2a343f !important; color: #cbd5e0 !important; }
}
</style>
</head>
<body style="margin:0;padding:0;background:#eef1f5">
<div style="display:none;max-height:0;overflow:hidden">{{ preview }}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" bgcolor="#eef1f5" style="background:#eef1f5"><tr><td align="center" style="padding:24px 16px 32px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed"><tr><td class="col" align="left" style="${FONT};text-align:left;overflow-wrap:anywhere">
<h1 style="margin:0;font-size:{% if single %}20px;line-height:1.4{% else %}24px;line-height:1.3{% endif %};font-weight:700">{{ title }}</h1>
{% for line in lead %}<p class="lead" style="margin:{% if forloop.first %}6px{% else %}0{% endif %} 0 0;${DIM}">{{ line }}</p>
{% endfor %}{% if chips.size > 0 %}<p style="margin:14px 0 0">{% for chip in chips %}<span class="chip {{ chip.tone }}" style="display:inline-block;margin:0 6px 6px 0;padding:3px 11px;border-radius:14px;font-weight:600;background:{{ tones[chip.tone].ground }};color:{{ tones[chip.tone].ink }}">{{ chip.label }}</span> {% endfor %}</p>
{% endif %}{% if single %}<p style="margin:0;line-height:18px">&nbsp;</p>
{% endif %}{% for section in sections %}{% if section.title != '' %}<h2 style="margin:28px 0 10px;font-size:18px;line-height:1.3;font-weight:700">{{ section.title }}</h2>
{% endif %}{% for sum in section.sums %}<p style="margin:0 0 8px">{{ sum }}</p>
{% endfor %}{% for item in section.items %}{% assign tone = item.tone %}${CARD}
{% if item.name != '' %}<p style="margin:0"><b>{% if item.url != '' %}<a href="{{ item.url }}" style="${LINK}">{{ item.name }}</a>{% else %}{{ item.name }}{% endif %}</b></p>
{% endif %}{% for line in item.lines %}<p style="margin:4px 0 0">{% if forloop.first and item.name == '' and item.url != '' %}<a href="{{ item.url }}" style="${LINK}">{{ line }}</a>{% else %}{{ line }}{% endif %}</p>
{% endfor %}${CARD_END}
{% endfor %}{% endfor %}{% if facts.size > 0 %}${CARD}
<table role="presentation" class="fact" width="100%" cellpadding="0" cellspacing="0">
{% for fact in facts %}<tr>{% if fact.label %}<td class="of" width="128" valign="top" style="${FONT};${DIM};padding:0 10px 6px 0">{{ fact.label }}</td><td valign="top" style="${FONT};padding:0 0 6px"><bdi>{{ fact.value }}</bdi></td>{% else %}<td colspan="2" style="${FONT};padding:0 0 6px">{{ fact.value }}</td>{% endif %}</tr>
{% endfor %}</table>
${CARD_END}
{% endif %}{% if links.size > 0 %}<p style="margin:0">{% for link in links %}<a href="{{ link.url }}" style="${LINK}">{{ link.label }}</a>{% unless forloop.last %} · {% endunless %}{% endfor %}</p>
{% endif %}{% if more != '' %}<p class="foot" style="margin:24px 0 0;${DIM}"><b>{{ more }}</b></p>
{% endif %}<p class="foot" style="margin:24px 0 0;${DIM}">{{ footer }}</p>
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
