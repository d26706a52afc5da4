import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { sealText, unsealText } from '../../commands/identity/sealed-text';

const key = randomBytes(32);

/** As processes of the version before seal: without compression. */
const sealPlain = (purpose: string, content: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
};

describe('sealed JSON', () => {
  const content = JSON.stringify({ state: 'ü'.repeat(2_000), other: [1, null] });

  it('opens for its key and purpose, and for no other', () => {
    const sealed = sealText(key, 'one', content);
    assert.equal(unsealText(key, 'one', sealed), content);
    assert.equal(unsealText(key, 'two', sealed), undefined);
    assert.equal(unsealText(randomBytes(32), 'one', sealed), undefined);
    assert.equal(unsealText(key, 'one', `${sealed.slice(0, -2)}AA`), undefined);
  });

  it('is no longer than what it holds, where that is random text in base64url', () => {
    const state = randomBytes(6_144).toString('base64url');
    assert.ok(sealText(key, 'one', JSON.stringify({ state })).length < state.length + 200);
  });

  it('opens as the version before wrote it', () =>
    assert.equal(unsealText(key, 'one', sealPlain('one', content)), content));

  it('is bounded, sealed and opened', () => {
    assert.equal(unsealText(key, 'one', sealText(key, 'one', JSON.stringify('x'.repeat(140_000)))), undefined);
    assert.equal(unsealText(key, 'one', 'A'.repeat(24_577)), undefined);
  });
});
