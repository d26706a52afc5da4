/** docs/limits.md as it is written: the file, the start with it, and the new limit in force; then the console's commands for it. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../infra/operate/launch/free-port';
import type { RateLimitPolicies } from '../../packages/client/src/schemas';
import { changeCommands } from '../../read-api/web/ratelimit/rule-change';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { runDocument } from '../support/documents/run-document';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { adminWith, jsonOf, spendCode } from '../support/identity/admin';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { needs } from '../support/runner/prerequisites';

const document = 'docs/limits.md';

describe('raising a limit, as documented', function () {
  this.timeout(240_000);
  needs('bash', 'curl', 'npm');
  const { path: home, remove } = temporaryDirectory('limits');
  const checkout = join(home, 'septet');
  let septet: Launched | undefined;

  const symlinkCheckout = (): void => {
    mkdirSync(checkout);
    for (const entry of readdirSync(process.cwd()))
      if (!entry.startsWith('.')) symlinkSync(join(process.cwd(), entry), join(checkout, entry));
  };

  after(async () => {
    await septet?.stop();
    remove();
  });

  it('writes the file, starts with it, and shows the new limit in force', async () => {
    linkTools(join(home, 'data'));
    symlinkCheckout();
    const verification = codeBlocksOf(document).find(({ text }) => text.includes('/policies'))?.text ?? '';
    const written = await runDocument(
      { document, change: (script) => script.replace(verification, '') },
      { directory: checkout, url: '', env: {} },
    );
    assert.match(written, /^Wrote limits\.json: version custom-1, command-user changed\.$/m);
    assert.match(written, /^Wrote service-limits\.json: version custom-1, user-requests changed\.$/m);
    const port = String(await freePort());
    septet = await launch({
      directory: process.cwd(),
      arguments: ['--data', join(home, 'data'), '--port', port],
      env: { GATEWAY_RATELIMIT_POLICY_FILE: join(checkout, 'limits.json') },
    });
    assert.ok(septet.code);
    const admin = await adminWith(septet.url, await spendCode(septet.url, septet.code));
    const { items } = (await jsonOf(await admin.get('/v1/ratelimit/policies'))) as unknown as RateLimitPolicies;
    const seen = await runDocument(
      { document, change: () => verification },
      {
        directory: checkout,
        url: septet.url,
        env: { SEPTET: septet.url, auth: `Authorization: Bearer ${admin.token()}` },
      },
    );
    assert.ok(readFileSync(document, 'utf8').includes(`That prints \`${seen.trim()}\``), seen);
    const [gateway] = items;
    const rule = gateway?.rules.find(({ name, set }) => name === 'command-user' && set === 'defaults');
    assert.ok(gateway && rule);
    assert.equal(gateway.file, join(checkout, 'limits.json'));
    const [command = ''] = changeCommands(rule, gateway);
    const doubled = await runDocument({ document, change: () => command }, { directory: checkout, url: '', env: {} });
    assert.match(doubled, /version custom-3, command-user changed/);
  });
});
