import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { ensureCertificates } from '../../../../packages/eventstore-node/src/certs/ensure-certificates';
import { loopbackNames } from '../../../../packages/eventstore-node/src/certs/subject-names';
import { inDirectory, made } from './directory';

describe('certificates that cannot be', () => {
  const refusals: readonly (readonly [string, RegExp, (directory: string) => void])[] = [
    [
      'a file that is not a certificate',
      /ca\.crt is not a certificate/,
      (directory) => writeFileSync(join(directory, 'ca.crt'), 'x'),
    ],
    [
      'a file that is no key',
      /node\.key is not a private key/,
      (directory) => writeFileSync(join(directory, 'node.key'), 'x'),
    ],
    [
      'an authority without its key, when something is to be signed',
      /ca\.key is not there/,
      (directory) => {
        rmSync(join(directory, 'ca.key'));
        rmSync(join(directory, 'node.crt'));
      },
    ],
    [
      'an authority with another’s key',
      /ca\.key is not the key of/,
      (directory) => {
        writeFileSync(join(directory, 'ca.key'), readFileSync(join(directory, 'node.key')));
        rmSync(join(directory, 'node.crt'));
      },
    ],
    [
      'a node’s certificate in the place of the authority’s',
      /not a certificate of an authority/,
      (directory) => writeFileSync(join(directory, 'ca.crt'), readFileSync(join(directory, 'node.crt'))),
    ],
  ];
  for (const [name, expected, change] of refusals)
    it(`name ${name}`, () =>
      inDirectory(async (directory) => {
        await made(ensureCertificates(directory, loopbackNames));
        change(directory);
        const refused = await ensureCertificates(directory, loopbackNames);
        assert.ok(isLeft(refused));
        assert.match(refused.left, expected);
      }));

  it('are not asked of a key that is kept elsewhere while the node’s is good', () =>
    inDirectory(async (directory) => {
      await made(ensureCertificates(directory, loopbackNames));
      rmSync(join(directory, 'ca.key'));
      assert.ok(isRight(await ensureCertificates(directory, loopbackNames)));
    }));
});
