/** A resource server in Spring, with the lines of docs/identity.md, accepts access tokens of its audience and nothing else. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { skip } from '../../support/runner/skip';
import { fromRunner } from '../../support/servers/shared-servers';
import { openRuntime, type ProgramOf } from './installations';
import { withProgram } from './sign-in';

const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());

describe('a resource server in Spring', function () {
  // Maven may have to fetch it first.
  this.timeout(300_000);
  const place = useTemporaryDirectory('resource-server');
  let programOf: ProgramOf;
  let system: System | undefined;
  let tenant: Tenant;
  let issuer: string;
  before(async function () {
    const opened = await openRuntime('java', place);
    if (isLeft(opened)) return skip(this, opened.left);
    programOf = opened.right;
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    const discovered = await fetch(`${system.url}/.well-known/openid-configuration`);
    issuer = ((await discovered.json()) as { readonly issuer: string }).issuer;
  });
  after(() => system?.close());

  const answersOf = (audience: string, tokens: readonly string[]): Promise<readonly string[]> =>
    withProgram(programOf({ program: 'ResourceServer' }), { issuer, audience }, async (home) => {
      const answers: string[] = [];
      for (const token of tokens) {
        const answer = await fetch(`${home}/orders`, { headers: { authorization: `Bearer ${token}` } });
        answers.push(answer.ok ? await answer.text() : String(answer.status));
      }
      return answers;
    });

  it('has the lines of the guide', () => {
    const guide = readFileSync(join(__dirname, '../../../docs/identity.md'), 'utf8');
    const [, documented = ''] = /```java\n([\s\S]*?)```/.exec(guide) ?? [];
    const program = readFileSync(join(__dirname, 'java/ResourceServer.java'), 'utf8');
    assert.ok(documented.includes('JwtDecoder'));
    assert.ok(linesOf(program).join('\n').includes(linesOf(documented).join('\n').trim()));
  });

  it('accepts an access token for its audience, and refuses one for another, an altered one, and no token', async () => {
    const token = tenant.adminToken;
    const { sub, aud } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly sub: string;
      readonly aud: string | readonly string[];
    };
    const altered = `${token.slice(0, -10)}${token.at(-10) === 'A' ? 'B' : 'A'}${token.slice(-9)}`;
    assert.deepEqual(await answersOf([aud].flat().join(), [token, altered, 'nonsense']), [sub, '401', '401']);
    assert.deepEqual(await answersOf('orders', [token]), ['401']);
  });
});
