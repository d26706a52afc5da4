import assert from 'node:assert/strict';
import { qrCode } from '../../../commands/identity/pages/qr-code';

const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];

describe('a QR code in a page', () => {
  const { markup } = qrCode('otpauth://totp/Septet:ada?secret=JBSWY3DPEHPK3PXP&issuer=Septet', 'Code of "Ada"');
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1]);
  const dark = new Set([...markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  const rowAt = (x: number, y: number): string =>
    Array.from({ length: 7 }, (_, step) => (dark.has(`${x + step},${y}`) ? '1' : '0')).join('');

  it('has finders in three corners, within a margin of four modules', () => {
    for (const [x, y] of [
      [4, 4],
      [size - 11, 4],
      [4, size - 11],
    ] as const)
      assert.deepEqual(
        finder.map((_, step) => rowAt(x, y + step)),
        finder,
      );
    const places = [...dark].flatMap((one) => one.split(',').map(Number));
    assert.ok(Math.min(...places) === 4 && Math.max(...places) === size - 5);
  });

  it('says in text what it is, and needs no style or script', () => {
    assert.ok(markup.includes('aria-label="Code of &quot;Ada&quot;"'));
    assert.ok(!/style|script|href/.test(markup));
  });

  it('is another one for another text', () => assert.notEqual(qrCode('a', 'x').markup, qrCode('b', 'x').markup));
});
