/** What a password must be: long rather than odd, and none of those that everybody tries first. */
import { type Either, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';

const shortest = 12;
const longest = 256;

/** Beginnings and words of what leaks show most often among long passwords; digits and signs around them change nothing. */
const common = [
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

const look: { readonly [sign: string]: string } = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', '@': 'a', $: 's' };
const plain = (text: string): string => text.replaceAll(/[01345@$]/g, (sign) => look[sign] as string);
const letters = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '');

/** What is left of a password when common words are taken out of it. */
const bare = (text: string): string => common.reduce((rest, word) => rest.replaceAll(word, ''), letters(text));

/** Signs that look like letters, and such that only stand around: both are tried first. */
const isCommon = (text: string): boolean => Math.min(bare(text).length, bare(plain(text)).length) < 3;

export const acceptablePassword = (password: string, login: string): Either<Rejection<'password-weak'>, string> => {
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < shortest) return reject('password-weak', `A password has at least ${shortest} characters.`);
  if (length > longest) return reject('password-weak', `A password has at most ${longest} characters.`);
  if (new Set(normal).size < 5) return reject('password-weak', 'The password repeats the same few characters.');
  if (isCommon(normal.toLowerCase()))
    return reject('password-weak', 'The password is one of those that are tried first.');
  const [name = ''] = login.toLowerCase().split('@');
  if (name.length >= 3 && normal.toLowerCase().replaceAll(name, '').length < 8)
    return reject('password-weak', 'The password is little more than the login.');
  return right(normal);
};
