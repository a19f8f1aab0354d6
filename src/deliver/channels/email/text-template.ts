/** What `MailView` is in plain text. */
export const TEXT_TEMPLATE = `{{ title }}
{% for line in lead %}{{ line }}
{% endfor %}{% for section in sections %}
{% if section.title != '' %}
{{ section.title | upcase }}
{% endif %}{% for group in section.groups %}
{% for item in group.items %}- {{ item.sentence }}
  {{ item.when }}
{% endfor %}{% for fact in group.facts %}{% unless single %}  {% endunless %}{% if fact.label %}{{ fact.label }}: {% endif %}{{ fact.value }}
{% endfor %}{% endfor %}{% endfor %}
{% if more != '' %}
{{ more }}
{% endif %}
-- 
{{ footer }}
`
