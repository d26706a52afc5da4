import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLeft } from 'fp-ts/Either';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import { constants } from '../../../infra/adapters/kms/pkcs11/cryptoki';
import { findObjects } from '../../../infra/adapters/kms/pkcs11/key-objects';
import { openLibrary } from '../../../infra/adapters/kms/pkcs11/library';
import { openPkcs11Kms, type Pkcs11Options, provisionToken } from '../../../infra/adapters/kms/pkcs11/pkcs11-keystore';
import { openToken } from '../../../infra/adapters/kms/pkcs11/token-sessions';
import type { Kms } from '../../../infra/ports/kms';
import { typescript } from '../../support/runner/compiled';
import { needs } from '../../support/runner/prerequisites';
import { type SoftToken, softTokens } from '../../support/servers/soft-hsm';
import { kmsContract, value } from './kms-contract';

const run = promisify(execFile);
const label = 'septet tests';

describe('key service in a device', () => {
  let soft: SoftToken | undefined;
  let options: Pkcs11Options;

  needs('device');
  before(async () => {
    soft = softTokens([label, 'bare', 'moved']);
    options = soft.options;
    assert.equal(value(await provisionToken(options, undefined)), true);
  });
  after(() => soft?.remove());

  const opened = (more: Partial<Pkcs11Options> = {}): Kms => value(openPkcs11Kms({ ...options, ...more }));
  const emptied = async (): Promise<Kms> => {
    const kms = opened();
    for (const { kid } of value(await kms.list())) value(await kms.destroy(kid));
    return kms;
  };

  kmsContract(emptied);

  it('has the same keys, and derives the same secrets, in another process', async () => {
    const kms = await emptied();
    const { kid } = value(await kms.create({ algorithm: 'ES256', name: 'shared' }));
    const script = `
      const { openPkcs11Kms } = require('./infra/adapters/kms/pkcs11/pkcs11-keystore');
      const kms = openPkcs11Kms(${JSON.stringify(options)}).right;
      const codes = async () => [(await kms.sign('${kid}', Buffer.from('a'))).right?.length, (await kms.derive('x')).right];
      codes().then((answers) => process.stdout.write(JSON.stringify(answers)));`;
    const { stdout } = await run(process.execPath, [...typescript(), '-e', script]);
    assert.deepEqual(JSON.parse(stdout), [64, value(await kms.derive('x'))]);
  });

  it('signs at once with a key that another process made', async () => {
    const kms = await emptied();
    const script = `
      const { openPkcs11Kms } = require('./infra/adapters/kms/pkcs11/pkcs11-keystore');
      openPkcs11Kms(${JSON.stringify(options)}).right
        .create({ algorithm: 'EdDSA', name: 'theirs' })
        .then((made) => process.stdout.write(made.right.kid));`;
    const { stdout: kid } = await run(process.execPath, [...typescript(), '-e', script]);
    assert.equal(value(await kms.sign(kid, Buffer.from('a'))).length, 64);
  });

  it('exports no private key and no secret, even with the PIN', async () => {
    const kms = await emptied();
    value(await kms.create({ algorithm: 'ES256', name: 'one' }));
    const api = value(openLibrary(options.module));
    const codes = await openToken(api, options).use(async (session) => {
      const classes = [constants.CKO_PRIVATE_KEY, constants.CKO_SECRET_KEY];
      const objects = classes.flatMap((kind) => findObjects(session, [{ type: constants.CKA_CLASS, value: kind }]));
      return objects.map((object) => {
        try {
          return api.C_GetAttributeValue(session.handle, object, [{ type: constants.CKA_VALUE }]).length;
        } catch (error) {
          return (error as Error).message;
        }
      });
    });
    assert.deepEqual(value(codes), ['CKR_ATTRIBUTE_SENSITIVE', 'CKR_ATTRIBUTE_SENSITIVE']);
  });

  it('is provisioned once', async () => assert.equal(value(await provisionToken(options, undefined)), false));

  it('derives what was derived before, when the installation moved into it', async () => {
    const root = randomBytes(32);
    const moved = { ...options, label: 'moved' };
    assert.equal(value(await provisionToken(moved, root)), true);
    const before = await memoryKeys(root).derive('["a"]');
    assert.deepEqual(await value(openPkcs11Kms(moved)).derive('["a"]'), before);
  });

  it('says that it was not provisioned, and derives nothing then', async () => {
    const answer = await opened({ label: 'bare' }).derive('x');
    assert.ok(isLeft(answer));
    assert.match(answer.left.detail, /npm run keys -- provision/);
  });

  it('says which token there is not, and takes no other', async () => {
    const answer = await opened({ label: 'nowhere' }).list();
    assert.ok(isLeft(answer));
    assert.equal(answer.left.detail, 'The device has no token nowhere.');
  });

  it('says when the library cannot be loaded, and nothing of where it should be', () => {
    const answer = openPkcs11Kms({ ...options, module: '/nowhere/at/all.so' });
    assert.ok(isLeft(answer));
    assert.equal(answer.left.detail, 'The library that PKCS11_MODULE names cannot be loaded.');
  });

  it('tries a wrong PIN once: tokens lock after a few', async () => {
    // A process that is logged in already needs no PIN, so this needs a process of its own.
    const script = `
      const { openPkcs11Kms } = require('./infra/adapters/kms/pkcs11/pkcs11-keystore');
      const kms = openPkcs11Kms({ ...${JSON.stringify(options)}, pin: 'wrong-pin' }).right;
      const details = async () => [await kms.list(), await kms.list()].map(({ left }) => left?.detail);
      details().then((answers) => process.stdout.write(JSON.stringify(answers)));`;
    const { stdout } = await run(process.execPath, [...typescript(), '-e', script]);
    const detail = 'The device answers CKR_PIN_INCORRECT.';
    assert.deepEqual(JSON.parse(stdout), [detail, detail]);
  });

  it('leaves nothing readable in the token’s files', async () => {
    const kms = await emptied();
    value(await kms.create({ algorithm: 'ES256', name: 'one' }));
    const secret = Buffer.from(value(await kms.derive('x')), 'base64url');
    const files = readdirSync(join(soft?.directory ?? '', 'tokens'), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      for (const plain of [secret, Buffer.from(options.pin)])
        assert.equal(readFileSync(join(file.parentPath, file.name)).includes(plain), false);
  });
});

describe('a device without the package that speaks to it', () => {
  it('is refused by the package’s name', async () => {
    const script = `
      const Module = require('node:module');
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (name === 'pkcs11js') throw Object.assign(new Error('Cannot find it'), { code: 'MODULE_NOT_FOUND' });
        return load(name, ...rest);
      };
      const { openPkcs11Kms } = require('./infra/adapters/kms/pkcs11/pkcs11-keystore');
      process.stdout.write(openPkcs11Kms({ module: 'x', label: 'x', pin: 'x' }).left.detail);`;
    const { stdout } = await run(process.execPath, [...typescript(), '-e', script]);
    assert.match(stdout, /npm package pkcs11js/);
  });
});
