/** The README and the guides, done as they are written, against the run's system and with the installed packages. */
import assert from 'node:assert/strict';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, noChromium } from '../../support/browser/chromium';
import { codeBlocksOf } from '../../support/documents/code-blocks';
import { type ReaderPlace, runDocument } from '../../support/documents/run-document';
import type { SharedSystem } from '../../support/processes/running-system';
import { skip } from '../../support/runner/skip';
import { fromRunner } from '../../support/servers/shared-servers';
import type { Installation } from './install';

const root = process.cwd();

/** The first admin of the run's system has signed in already. */
const redeemCode = /^curl .*\/v1\/bootstrap .*$/m;
const withoutCode = (script: string): string => {
  assert.match(script, redeemCode, 'the README redeems the sign-in code');
  return script.replace(redeemCode, '');
};

const signIn = codeBlocksOf('README.md').find(({ text }) => redeemCode.test(text))?.text ?? '';

/** As a checkout: commands find its scripts, programs of theirs lie elsewhere. */
const linkCheckout = (directory: string): void => {
  for (const entry of readdirSync(root))
    if (!entry.startsWith('.')) symlinkSync(join(root, entry), join(directory, entry));
};

export const describeDocuments = (installed: () => Installation): Mocha.Suite =>
  describe('as documented', () => {
    let system: SharedSystem;

    const placeFor = (name: string): ReaderPlace => {
      const directory = installed().directoryFor(name, { 'admin.json': JSON.stringify(system.credential) });
      return { directory, url: system.url, env: { DATA_DIR: system.data } };
    };

    before(async function () {
      if (chromiumPath() === undefined) skip(this, noChromium);
      system = JSON.parse(await fromRunner('system')) as SharedSystem;
    });

    it('README: signs in, creates, reads, follows, replays, and does so from a program', async () => {
      const place = placeFor('septet');
      linkCheckout(place.directory);
      const output = await runDocument({ document: 'README.md', change: withoutCode }, place);
      assert.match(output, /"principalType":"AI_AGENT"/);
      assert.match(output, /^event: PrincipalSuspended$/m);
      assert.match(output, /SecurityEpochBumped/);
      assert.match(output, /^PIPELINE ACTIVE\n404 principal-unknown$/m);
    });
  });
