/** TOTP enrolment and recovery codes; each code works once. */
import { type Either, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import type { AuthenticatorRejection, EnrolTotp, IssueRecoveryCodes, UseRecoveryCode } from './commands';
import type { AuthenticatorEvent } from './events';
import type { Person } from './state';

type Decision = Either<Rejection<AuthenticatorRejection>, readonly AuthenticatorEvent[]>;

const issued = (
  { principalId, recovery, at }: Pick<IssueRecoveryCodes, 'principalId' | 'recovery' | 'at'>,
  { issuedRecovery }: Person,
): readonly AuthenticatorEvent[] =>
  recovery.length === issuedRecovery.size && recovery.every((hash) => issuedRecovery.has(hash))
    ? []
    : [{ type: 'RecoveryCodesIssued', data: { principalId, hashes: [...recovery], issuedAt: at } }];

/** One append: an app never exists without recovery codes. */
export const enrolTotp = (command: EnrolTotp, person: Person): Decision => {
  const { principalId, seed, at } = command;
  const codes = issued(command, person);
  return right(
    person.totp === seed ? codes : [{ type: 'TotpEnrolled', data: { principalId, seed, enrolledAt: at } }, ...codes],
  );
};

export const issueRecoveryCodes = (command: IssueRecoveryCodes, person: Person): Decision =>
  person.totp === null
    ? reject('authenticator-app-missing', 'Recovery codes need an authenticator app: set one up first.')
    : right(issued(command, person));

/** A repeated use is refused: it is not a retry. */
export const useRecoveryCode = ({ principalId, hash, at }: UseRecoveryCode, person: Person): Decision =>
  person.totp !== null && person.unusedRecovery.has(hash)
    ? right([{ type: 'RecoveryCodeUsed', data: { principalId, hash, usedAt: at } }])
    : reject('recovery-code-unknown', 'The recovery code is not valid, or was used before.');
