import { expect, it } from 'vitest'
import { FakeClock } from '../../support/fake-clock.ts'
import { LoopbackDns } from '../../support/loopback-dns.ts'
import { namesBy } from '../../support/names-by.ts'

it('a name without an answer is found by the next server where one cannot tell, or is dead', async () => {
  await using dns = await LoopbackDns.start()
  await using other = await LoopbackDns.start()
  for (const name of ['erp.example', 'crm.example']) other.zone.set(name, ['10.0.0.1'])
  dns.broken.add('erp.example')
  dns.silent.add('crm.example')
  const { names } = namesBy(dns, { clock: new FakeClock(), others: [other] })
  expect(await names.resolve('erp.example')).toMatchObject([{ address: '10.0.0.1' }])
  expect(await names.resolve('crm.example')).toMatchObject([{ address: '10.0.0.1' }])
  await expect(names.resolve('scm.example')).rejects.toThrow('the DNS knows no address of it (ENOTFOUND)')
  expect(other.asked).not.toContain('scm.example')
})
