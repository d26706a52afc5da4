/** Password rules (NIST 800-63B): minimum length and a blocklist. */
import { type Either, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';

const minLength = 12;
const maxLength = 256;

/** Most frequent words and prefixes of leaked long passwords; digits and punctuation around them are ignored. */
const commonPasswords = [
  'password',
  'passwort',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'letmein',
  'iloveyou',
  'welcome',
  'administrator',
  'changeme',
  'trustno',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'dragon',
  'monkey',
  'whatever',
  'correcthorsebatterystaple',
  'abcdefghijkl',
  'septet',
];

const lookalikes: { readonly [sign: string]: string } = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', '@': 'a', $: 's' };
const withoutLookalikes = (text: string): string => text.replaceAll(/[01345@$]/g, (sign) => lookalikes[sign] as string);
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '');

/** The rest of a password without common words. */
const withoutAffixes = (text: string): string =>
  commonPasswords.reduce((rest, word) => rest.replaceAll(word, ''), lettersOf(text));

/** Undoes look-alike characters and strips punctuation before the comparison. */
const isCommon = (text: string): boolean =>
  Math.min(withoutAffixes(text).length, withoutAffixes(withoutLookalikes(text)).length) < 3;

export const checkPassword = (password: string, login: string): Either<Rejection<'password-weak'>, string> => {
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < minLength) return reject('password-weak', `A password has at least ${minLength} characters.`);
  if (length > maxLength) return reject('password-weak', `A password has at most ${maxLength} characters.`);
  if (new Set(normal).size < 5) return reject('password-weak', 'The password repeats the same few characters.');
  if (isCommon(normal.toLowerCase())) return reject('password-weak', 'The password is among the most common ones.');
  const [name = ''] = login.toLowerCase().split('@');
  if (name.length >= 3 && normal.toLowerCase().replaceAll(name, '').length < 8)
    return reject('password-weak', 'The password is too similar to the login.');
  return right(normal);
};
