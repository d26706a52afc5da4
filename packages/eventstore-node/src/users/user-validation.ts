/** Validates logins and names. */
import { passwordProblem } from './password-hash';

export interface NewUser {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly password: string;
}

const maxNameBytes = 1024;
const maxLoginBytes = 256;
const maxGroups = 100;

const isTooLong = (text: string, maxBytes: number): boolean => Buffer.byteLength(text) > maxBytes;
const control = /\p{Cc}/u;

/** Basic authentication ends the login at a colon. */
const loginProblem = (login: string): string | undefined => {
  if (login === '') return 'The login name is empty.';
  if (isTooLong(login, maxLoginBytes)) return `The login name is longer than ${maxLoginBytes} bytes.`;
  return login.includes(':') || control.test(login)
    ? 'The login name has a colon or a control character in it.'
    : undefined;
};

export const detailsProblem = ({ fullName, groups }: Pick<NewUser, 'fullName' | 'groups'>): string | undefined => {
  if (isTooLong(fullName, maxNameBytes)) return `The full name is longer than ${maxNameBytes} bytes.`;
  if (groups.length > maxGroups) return `The user is in more than ${maxGroups} groups.`;
  return groups.some((group) => group === '' || isTooLong(group, maxLoginBytes))
    ? `A group's name is empty or longer than ${maxLoginBytes} bytes.`
    : undefined;
};

export const userProblem = (user: NewUser): string | undefined =>
  loginProblem(user.login) ?? detailsProblem(user) ?? passwordProblem(user.password);
