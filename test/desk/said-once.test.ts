import { expect, test } from 'vitest'
import { saidOnce } from '../../src/serve/pages/parts/said-once.ts'
import { wording } from '../../src/serve/pages/parts/time.ts'
import { RequestViewer, viewedBy } from '../../src/serve/pages/parts/viewer.ts'

const none = { asked: null, kept: null }

function inZone<T>(timeZone: string, make: () => T): T {
  const who = new RequestViewer({
    zone: { asked: timeZone, kept: null },
    language: { ...none, accepted: 'en' },
    address: null,
    usualZone: () => 'UTC',
  })
  return viewedBy(who, make)
}

test('a thing is put into words once for each zone, and two things are never mistaken', () => {
  const asked: string[] = []
  const say = saidOnce(({ name }: { readonly name: string }) => {
    asked.push(name)
    return `${name} ${wording().timeZone}`
  })
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const zones = ['Asia/Shanghai', 'Europe/Paris', 'Asia/Shanghai', 'UTC', 'America/New_York', 'Asia/Tokyo', 'UTC']
  const said = zones.map((zone) => inZone(zone, () => [say(one), say(other)]))
  expect(said).toEqual(zones.map((zone) => [`one ${zone}`, `other ${zone}`]))
  expect(asked.filter((name) => name === 'one')).toHaveLength(6)
})
