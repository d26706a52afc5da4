/** What a user may be called. */
import { passwordProblem } from './passwords';

export interface NewUser {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly password: string;
}

const longestName = 1024;
const longestLogin = 256;
const mostGroups = 100;

const isLong = (text: string, longest: number): boolean => Buffer.byteLength(text) > longest;
const control = /\p{Cc}/u;

/** A login with a colon could never be given as credentials: the header ends it there. */
const loginProblem = (login: string): string | undefined => {
  if (login === '') return 'The login name is empty.';
  if (isLong(login, longestLogin)) return `The login name is longer than ${longestLogin} bytes.`;
  return login.includes(':') || control.test(login)
    ? 'The login name has a colon or a control character in it.'
    : undefined;
};

export const detailsProblem = ({ fullName, groups }: Pick<NewUser, 'fullName' | 'groups'>): string | undefined => {
  if (isLong(fullName, longestName)) return `The full name is longer than ${longestName} bytes.`;
  if (groups.length > mostGroups) return `The user is in more than ${mostGroups} groups.`;
  return groups.some((group) => group === '' || isLong(group, longestLogin))
    ? `A group's name is empty or longer than ${longestLogin} bytes.`
    : undefined;
};

export const userProblem = (user: NewUser): string | undefined =>
  loginProblem(user.login) ?? detailsProblem(user) ?? passwordProblem(user.password);
