/**
 * What `MailView` is in HTML that phones, webmail and desktop programs show alike: one column, text of 16 px and more, colours
 * for light and dark, nothing that is loaded from anywhere. The one table holds the column together where `max-width` is not
 * known. Long mails are cut by some readers at about 100 kB, so a style has a name, and an item has few tags.
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
body { margin: 0; padding: 0; background: #eef1f5; color: #17202b; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
  font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
table { border-collapse: collapse; }
td { padding: 0; font: inherit; }
.edge { padding: 24px 16px 32px; }
.col { width: 100%; max-width: 600px; text-align: left; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 24px; line-height: 1.3; font-weight: 700; }
.long { font-size: 20px; line-height: 1.4; }
h2 { margin: 28px 0 10px; font-size: 18px; line-height: 1.3; font-weight: 700; }
p { margin: 0; }
.lead { margin-top: 6px; color: #55616f; }
.chips { margin: 14px 0 0; }
.chip { display: inline-block; margin: 0 6px 6px 0; padding: 3px 11px; border-radius: 14px; font-weight: 600; }
.card { margin: 0 0 12px; padding: 14px 16px; background: #ffffff; border-left: 4px solid #8793a1; border-radius: 8px; }
.one { margin-top: 18px; }
.say { margin-top: 4px; }
.sum { margin: 0 0 8px; }
.fact + .fact { margin-top: 6px; }
.fact i { display: inline-block; width: 128px; vertical-align: top; color: #55616f; font-style: normal; }
.fact bdi { display: inline-block; max-width: calc(100% - 138px); vertical-align: top; }
a { color: #0b5cad; }
.links { margin-top: 10px; }
.foot { margin-top: 24px; color: #55616f; }
.critical { border-left-color: #c8281c; }
.warning { border-left-color: #d98200; }
.good { border-left-color: #1a8548; }
.chip.critical { background: #fde7e5; color: #a31d13; }
.chip.warning { background: #fdf0d9; color: #855000; }
.chip.good { background: #dff4e7; color: #11683a; }
.chip.neutral { background: #dfe5ec; color: #3c4856; }
@media (prefers-color-scheme: dark) {
body { background: #11161c !important; color: #e7ecf2 !important; }
.card { background: #1c242d !important; }
.lead, .fact i, .foot { color: #a4b0be !important; }
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
<body>
<div style="display:none;max-height:0;overflow:hidden">{{ preview }}</div>
<table role="presentation" width="100%"><tr><td class="edge" align="center">
<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
<div class="col">
<h1{% if single %} class="long"{% endif %}>{{ title }}</h1>
{% for line in lead %}<p class="lead"{% unless forloop.first %} style="margin-top:0"{% endunless %}>{{ line }}</p>
{% endfor %}{% if chips.size > 0 %}<p class="chips">{% for chip in chips %}<span class="chip {{ chip.tone }}">{{ chip.label }}</span> {% endfor %}</p>
{% endif %}{% for section in sections %}{% if section.title != '' %}<h2>{{ section.title }}</h2>
{% endif %}{% for sum in section.sums %}<p class="sum">{{ sum }}</p>
{% endfor %}{% for item in section.items %}<div class="card {{ item.tone }}{% if single %} one{% endif %}">
{% if item.name != '' %}<p><b>{% if item.url != '' %}<a href="{{ item.url }}">{{ item.name }}</a>{% else %}{{ item.name }}{% endif %}</b></p>
{% for line in item.lines %}<p class="say">{{ line }}</p>
{% endfor %}{% else %}{% for line in item.lines %}<p class="say">{% if forloop.first and item.url != '' %}<a href="{{ item.url }}">{{ line }}</a>{% else %}{{ line }}{% endif %}</p>
{% endfor %}{% endif %}</div>
{% endfor %}{% endfor %}{% if facts.size > 0 %}<div class="card {{ tone }} one">
{% for fact in facts %}<p class="fact">{% if fact.label %}<i>{{ fact.label }}</i> <bdi>{{ fact.value }}</bdi>{% else %}{{ fact.value }}{% endif %}</p>
{% endfor %}</div>
{% endif %}{% if links.size > 0 %}<p class="links">{% for link in links %}<a href="{{ link.url }}">{{ link.label }}</a>{% unless forloop.last %} · {% endunless %}{% endfor %}</p>
{% endif %}{% if more != '' %}<p class="foot"><b>{{ more }}</b></p>
{% endif %}<p class="foot">{{ footer }}</p>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
