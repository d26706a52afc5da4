import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { type Cryptoki, constants } from '../../../../infra/adapters/kms/pkcs11/cryptoki';
import { openToken } from '../../../../infra/adapters/kms/pkcs11/token-sessions';

const refusal = (name: string, code: number): Error => Object.assign(new Error(name), { code });

/** Behaviour of a device that one in software cannot show. */
const device = (more: Partial<Cryptoki> = {}) => {
  const seen = { logins: 0, opened: 0, open: 0, most: 0 };
  const api = {
    C_GetSlotList: () => [Buffer.from('slot')],
    C_GetTokenInfo: () => ({ label: 'token'.padEnd(32) }),
    C_GetMechanismList: () => [],
    C_OpenSession: () => {
      seen.opened += 1;
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      return Buffer.from(String(seen.opened));
    },
    C_CloseSession: () => {
      seen.open -= 1;
    },
    C_Login: () => {
      seen.logins += 1;
    },
    ...more,
  } as unknown as Cryptoki;
  return { seen, token: openToken(api, { label: 'token', pin: 'pin' }), api };
};

describe('a token', () => {
  it('is given a wrong PIN once, for it locks after a few', async () => {
    for (const code of [constants.CKR_PIN_INCORRECT, constants.CKR_PIN_LOCKED]) {
      let tries = 0;
      const { token } = device({
        C_Login: () => {
          tries += 1;
          throw refusal('CKR_PIN_INCORRECT', code);
        },
      });
      for (const again of [1, 2, 3]) assert.ok(isLeft(await token.use(async () => again)));
      assert.equal(tries, 1);
    }
  });

  it('is reached again after it was away, within the same question', async () => {
    const { token, seen } = device();
    const connections = new Set<object>();
    let isAway = true;
    const answer = await token.use(async ({ connection }) => {
      connections.add(connection);
      if (isAway) {
        isAway = false;
        throw refusal('CKR_SESSION_HANDLE_INVALID', 0xb3);
      }
      return 'signed';
    });
    assert.ok(isRight(answer) && answer.right === 'signed');
    assert.equal(connections.size, 2);
    assert.equal(seen.open, 1);
  });

  it('is a fault while it stays away, by the device’s word alone', async () => {
    const { token, seen } = device();
    const answer = await token.use(async () => {
      throw refusal('CKR_DEVICE_REMOVED', 0x32);
    });
    assert.ok(isLeft(answer));
    assert.equal(answer.left.detail, 'The device answers CKR_DEVICE_REMOVED.');
    assert.equal(seen.open, 0);
  });

  it('does not take our own defects for the device’s', async () => {
    const { token } = device();
    await assert.rejects(
      token.use(async () => {
        throw new TypeError('a defect');
      }),
    );
  });

  it('has eight sessions at most, and keeps them', async () => {
    const { token, seen } = device();
    const uses = Array.from({ length: 50 }, (_, index) => token.use(() => Promise.resolve(index)));
    const answers = await Promise.all(uses);
    assert.deepEqual(
      answers.map((answer) => (isRight(answer) ? answer.right : -1)),
      [...answers.keys()],
    );
    assert.equal(seen.most, 8);
    await token.use(() => Promise.resolve(0));
    assert.equal(seen.opened, 8);
  });
});
