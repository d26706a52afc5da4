/** An authenticator app: the key that a page shows, and the code of the moment. */
import { timeStepAt, totpAt } from '../../../commands/identity/sign-in/second-factor/totp';

const decoded = (base32: string): Buffer => {
  const bits = [...base32]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};
export const keyIn = (text: string): Buffer => decoded(/data-key>([A-Z2-7]+)</.exec(text)?.[1] ?? '');

export const codeAtTime = (key: Buffer, now: number, steps = 0): string => totpAt(key, timeStepAt(now) + steps);
