/** Authorization code: issued once, redeemed once; further uses are recorded. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { isSameTextConstantTime } from '../constant-time';
import type { CodeId, GrantId } from '../ids';
import { type CodeEvent, codes } from './events';
import { type CodeState, evolve, type IssuedCode } from './state';

/** Enough for a redirect, too short to be useful from a log. */
export const codeSeconds = 60;

/** A second use this soon after the first (a double click, two tabs) is no sign of theft. */
export const concurrentUseSeconds = 4;

export type IssueCode = { readonly type: 'IssueCode' } & IssuedCode;

export interface RedeemCode {
  readonly type: 'RedeemCode';
  readonly codeId: CodeId;
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the presented verifier; null: none was presented. */
  readonly challenge: string | null;
  /** Thumbprint of the presented DPoP key. */
  readonly jkt: string | null;
  readonly grantId: GrantId;
  readonly at: Instant;
}

export interface RecordCodeReplay {
  readonly type: 'RecordCodeReplay';
  readonly codeId: CodeId;
  readonly at: Instant;
}

export type CodeCommand = IssueCode | RedeemCode | RecordCodeReplay;

export type CodeRejection =
  | 'code-differs'
  | 'code-unknown'
  | 'code-used-just-now'
  | 'code-used'
  | 'code-expired'
  | 'code-of-another-client'
  | 'redirect-uri-differs'
  | 'verifier-differs'
  | 'key-differs';

type Decision = Either<Rejection<CodeRejection>, readonly CodeEvent[]>;

const unknown = () => reject('code-unknown', 'There is no such code.');

/** Issuing the same code to the same person again changes nothing. */
const issue = ({ type: _, ...data }: IssueCode, state: CodeState): Decision => {
  if (state.kind === 'none') return right([{ type: 'CodeIssued', data }]);
  const { principalId, sessionId, clientId } = state.code;
  const isSame = data.principalId === principalId && data.sessionId === sessionId && data.clientId === clientId;
  if (state.kind === 'issued' && isSame && data.issuedAt < state.code.expiresAt) return right([]);
  return reject('code-differs', 'The request was answered before.');
};

/** A verifier without a challenge is refused, too: the challenge was removed on the way (RFC 9700 section 2.1.1). */
const matchesChallenge = (presented: string | null, challenge: string | null): boolean =>
  presented === null || challenge === null ? presented === challenge : isSameTextConstantTime(presented, challenge);

const redemptionRefusal = (command: RedeemCode, code: IssuedCode): Either<Rejection<CodeRejection>, undefined> => {
  if (command.redirectUri !== code.redirectUri)
    return reject('redirect-uri-differs', 'The redirect_uri differs from that of the authorization request.');
  if (!matchesChallenge(command.challenge, code.challenge))
    return reject('verifier-differs', 'The code_verifier does not match the code_challenge.');
  if (code.jkt !== null && command.jkt !== code.jkt)
    return reject('key-differs', 'The code is bound to another DPoP key.');
  return right(undefined);
};

/** Another client learns nothing about the code, not even that it was used. */
const redeem = (command: RedeemCode, state: CodeState): Decision => {
  if (state.kind === 'none') return unknown();
  const { code } = state;
  if (command.clientId !== code.clientId)
    return reject('code-of-another-client', 'The code was issued to another client.');
  if (state.kind === 'redeemed')
    return command.at < plusSeconds(state.redeemedAt, concurrentUseSeconds)
      ? reject('code-used-just-now', 'The code was used a moment ago; its grant stays valid.')
      : reject('code-used', 'The code was used before.');
  if (command.at >= code.expiresAt) return reject('code-expired', 'The code has expired.');
  const refused = redemptionRefusal(command, code);
  if (isLeft(refused)) return refused;
  const { codeId, grantId, at: redeemedAt } = command;
  return right([{ type: 'CodeRedeemed', data: { codeId, principalId: code.principalId, grantId, redeemedAt } }]);
};

const recordReplay = ({ codeId, at }: RecordCodeReplay, state: CodeState): Decision => {
  if (state.kind !== 'redeemed') return unknown();
  const { code, grantId, replayed } = state;
  const data = { codeId, principalId: code.principalId, grantId, replayedAt: at };
  return right(replayed ? [] : [{ type: 'CodeReplayed', data }]);
};

const decide = (command: CodeCommand, state: CodeState): Decision => {
  switch (command.type) {
    case 'IssueCode':
      return issue(command, state);
    case 'RedeemCode':
      return redeem(command, state);
    case 'RecordCodeReplay':
      return recordReplay(command, state);
  }
};

export const code: Decider<CodeCommand, CodeState, CodeEvent, CodeRejection> = {
  family: codes,
  initial: { kind: 'none' },
  evolve,
  decide,
};
