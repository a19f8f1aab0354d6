import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../config/scratch.ts'
import { Desk, TOKEN } from '../serve/desk.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { installed, unless } from './foreign-program.ts'

const PERL = installed('perl')
const HAS_CLIENT = PERL !== null && spawnSync(PERL, ['-MOpenAPI::Client', '-e', '']).status === 0

/** Calls functions that are made of the document, each called as its operation is. */
const PROGRAM = `
use strict; use warnings; use OpenAPI::Client; use Mojo::JSON 'encode_json';
my ($document, $url, $token) = @ARGV;
my $api = OpenAPI::Client->new("file://$document");
$api->base_url(Mojo::URL->new($url));
$api->ua->on(start => sub { $_[1]->req->headers->authorization("Bearer $token") });
my @answers;
sub answered { my $answer = shift->res; push @answers, [$answer->code + 0, $answer->json] }
answered($api->listEvents({ limit => 1, type => ['shipment.*'] }));
answered($api->getEvent({ id => 'evt_1' }));
answered($api->getAccount({ name => 'nobody' }));
answered($api->disableSubscription({ name => 'erp' }));
answered($api->retryDeliveries({ body => { subscription => 'erp', since => '1d', dry_run => Mojo::JSON->true } }));
answered($api->listPublicKeys);
# What the document does not allow is not sent.
answered($api->listEvents({ limit => 201 }));
print encode_json(\\@answers);
`

/** The schema of OpenAPI 3.1 itself, which the client would fetch from its site. */
function cached(folder: string): string {
  const site = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20'
  const schemas = createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator')
  const schema = readFileSync(new URL('schemas/v3.1/schema.json', `file://${schemas.replace(/[^/]+$/, '')}`))
  mkdirSync(`${folder}/cache`)
  writeFileSync(`${folder}/cache/${hash('md5', site)}`, schema)
  return `${folder}/cache`
}

describe.skipIf(!HAS_CLIENT)(
  `a client in Perl${unless(HAS_CLIENT ? PERL : null, 'apt-get install libopenapi-client-perl')}`,
  () => {
    test('is made of the document, and its functions are the operations', async () => {
      const desk = await Desk.open()
      await ring(desk.store, [sampleEvent('evt_1')], ['quiet'])
      const folder = scratchFolder({ 'client.pl': PROGRAM })
      writeFileSync(`${folder}/api.json`, (await desk.ask('/api/openapi.json', { token: TOKEN })).text)
      const child = spawn(PERL ?? '', [`${folder}/client.pl`, `${folder}/api.json`, desk.url, TOKEN], {
        env: { ...process.env, JSON_VALIDATOR_CACHE_PATH: cached(folder) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const answers: unknown = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString())
      expect(answers).toMatchObject([
        [200, { items: [{ id: 'evt_1' }], next: null }],
        [200, { payload: { id: 'evt_1' } }],
        [404, { detail: 'There is no account "nobody".' }],
        [200, { subscription: 'erp', disabled: true }],
        [200, { deliveries: 0 }],
        [200, { keys: [] }],
        [400, expect.anything()],
      ])
    })
  },
)
