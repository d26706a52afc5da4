/** The README and the guides, done as they are written, against the run's system and with the installed packages. */
import assert from 'node:assert/strict';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createLimiter, memoryStore } from '../../../packages/ratelimit/src/index';
import { codeBlocksOf } from '../../support/documents/code-blocks';
import { type ReaderPlace, runDocument } from '../../support/documents/run-document';
import { respondWithUsage, usageFields } from '../../support/gateway/fake-models';
import { startModelsGateway } from '../../support/gateway/models-gateway';
import type { SharedSystem } from '../../support/processes/running-system';
import { needs } from '../../support/runner/prerequisites';
import { fromRunner, valkeyForTests } from '../../support/servers/shared-servers';
import type { Installation } from './install';

const root = process.cwd();

/** The first admin of the run's system has signed in already. */
const redeemCode = /^curl .*\/v1\/bootstrap .*$/m;
const withoutCode = (script: string): string => {
  assert.match(script, redeemCode, 'the README redeems the sign-in code');
  return script.replace(redeemCode, '');
};

const signIn = codeBlocksOf('README.md')
  .filter(({ text }) => redeemCode.test(text) || text.includes('TOKEN='))
  .map(({ text }) => text)
  .join('\n');

/** As a checkout: commands find its scripts, programs of theirs lie elsewhere. */
const linkCheckout = (directory: string): void => {
  for (const entry of readdirSync(root))
    if (!entry.startsWith('.')) symlinkSync(join(root, entry), join(directory, entry));
};

export const describeDocuments = (installed: () => Installation): Mocha.Suite =>
  describe('as documented', () => {
    let system: SharedSystem;

    const placeFor = async (name: string): Promise<ReaderPlace> => {
      const directory = installed().directoryFor(name, { 'admin.json': JSON.stringify(system.credential) });
      const { url } = await valkeyForTests();
      return { directory, url: system.url, env: { DATA_DIR: system.data, REDIS_URL: url } };
    };

    /** A guide goes on where the README's first commands end. */
    const follow = async (document: string, more = ''): Promise<string> =>
      runDocument(
        { document, after: `${signIn}\n${more}`, change: withoutCode },
        await placeFor(document.replaceAll(/\W/g, '-')),
      );

    needs('chromium');
    before(async () => {
      system = JSON.parse(await fromRunner('system')) as SharedSystem;
    });

    it('README: signs in, creates, reads, follows, replays, and does so from a program', async () => {
      const place = await placeFor('septet');
      linkCheckout(place.directory);
      const output = await runDocument({ document: 'README.md', change: withoutCode }, place);
      assert.match(output, /"principalType":"AI_AGENT"/);
      assert.match(output, /event: PrincipalSuspended$/m);
      assert.match(output, /SecurityEpochBumped/);
      assert.match(output, /^PIPELINE ACTIVE\n404 not-found$/m);
    });

    it('client.md: calls from a module and with require, lists, follows, meets errors', async () => {
      const output = await follow('docs/client.md');
      assert.equal(output.match(/^registered AI_AGENT ACTIVE$/gm)?.length, 2);
      assert.match(output, /^now SUSPENDED$/m);
      assert.match(output, /^has agents: true\nreceived PrincipalSuspended\ncontinue later after string$/m);
      assert.match(output, /^one principal: true\nrefused 404 not-found\n/m);
      assert.match(output, /^\/body\/principalType is not one of HUMAN, PIPELINE, AI_AGENT$/m);
    });

    it('editor.md: draws a rectangle by curl and one by the engine', async () => {
      const output = await follow('docs/editor.md');
      assert.match(output, /^applied\ncreateNode\n1\nfound 1 node\nhas 2 nodes at version true$/m);
    });

    it('rate-limiter.md: checks, reserves and settles', async () => {
      assert.match(await follow('docs/rate-limiter.md'), /allow\nsettled$/m);
    });

    it('models.md: counts a model call, and calls a model through a gateway', async () => {
      const limiter = createLimiter({ store: memoryStore(), policy: { version: '1', defaults: [] } });
      const gateway = await startModelsGateway({ limiter });
      try {
        gateway.models.answers(respondWithUsage(usageFields(1, 1)));
        const env = `export SEPTET=${gateway.url} TOKEN=${gateway.bearer()}`;
        assert.match(await follow('docs/models.md', env), /^2\nallow\n9958$/m);
      } finally {
        await gateway.close();
        await limiter.close();
      }
    });

    it('places.md: loads towns of the world, of which this takes a few', async () => {
      const place = { ...(await placeFor('places')), isLong: true };
      linkCheckout(place.directory);
      const all = '--synthetic 100000';
      const fewer = (script: string): string => {
        assert.ok(script.includes(all), 'the guide loads made-up places, too');
        return withoutCode(script).replace(all, '--towns 200 --synthetic 100');
      };
      const output = await runDocument({ document: 'docs/places.md', after: signIn, change: fewer }, place);
      assert.match(output, /^geonames: completed in .*: 200 recorded, 0 unchanged, 0 refused$/m);
      assert.match(output, /^synthetic: completed in .*: 100 recorded, 0 unchanged, 0 refused$/m);
    });

    it('the README of the client', async () => {
      const credential =
        'export SEPTET CLIENT_ID=$(field clientId < admin.json) CLIENT_SECRET=$(field clientSecret < admin.json)';
      assert.match(await follow('packages/client/README.md', credential), /^ACTIVE$/m);
    });

    it('the README of the limiter', async () => {
      const output = await follow('packages/ratelimit/README.md');
      assert.match(output, /^allow 0\n\[ 200, 200 \]\n\[ 429, 429 \]\n8810\ndone\ndeny\ndone\nallow\n1$/m);
    });

    it('the README of the resource server', async () => {
      const output = await follow('packages/resource-server/README.md');
      assert.match(output, /^"[^"]+"401$/m);
      assert.match(output, /right: true.*right: false/);
      const metadata = 'https://mcp.example.org/.well-known/oauth-protected-resource/mcp';
      assert.ok(output.includes(`resource_metadata="${metadata}"`), output);
    });

    it('the README of the event store node', async () => {
      assert.match(await follow('packages/eventstore-node/README.md'), /^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/m);
    });
  });
