/** Consents of a person: recorded, used, revoked. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ClientDescription } from '../client/events';
import type { ClientId, GrantId } from '../ids';
import { distinctScopes, type Scope } from '../scopes';
import { type ConsentEvent, consents } from './events';

export interface ConsentScope {
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
}

interface Approval extends ConsentScope {
  readonly clientEpoch: number;
}

interface Use {
  readonly grantId: GrantId;
  readonly expiresAt: Instant;
}

export interface Consent extends ConsentScope {
  readonly givenAt: Instant | null;
  /** The client as it was shown last; null: not known. */
  readonly client: ClientDescription | null;
  /** Each approval separately: scopes approved for one audience are not approved for another. */
  readonly words: readonly Approval[];
  /** Uses that may still be active. */
  readonly uses: readonly Use[];
}

export type ConsentState = ReadonlyMap<ClientId, Consent>;

interface ConsentCommandBase {
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly at: Instant;
}

/** The client's consent epoch now. Approvals of lower ones are void. */
export interface AtClientEpoch {
  readonly clientEpoch: number;
}

export interface GrantConsent extends ConsentCommandBase, ConsentScope, AtClientEpoch {
  readonly type: 'GrantConsent';
  readonly client: ClientDescription;
}

export interface UseConsent extends ConsentCommandBase, Use, ConsentScope, AtClientEpoch {
  readonly type: 'UseConsent';
}

export interface WithdrawConsent extends ConsentCommandBase {
  readonly type: 'WithdrawConsent';
}

export type ConsentCommand = GrantConsent | UseConsent | WithdrawConsent;

export type ConsentRejection = 'consent-not-given';

type Decision = Either<Rejection<ConsentRejection>, readonly ConsentEvent[]>;

const noConsent: Consent = { scopes: [], audience: [], givenAt: null, client: null, words: [], uses: [] };

export const consentTo = (state: ConsentState, clientId: ClientId): Consent => state.get(clientId) ?? noConsent;

/** Whether earlier approvals that still count cover the request. */
export const covers = (
  { words }: Pick<Consent, 'words'>,
  { scopes, audience, clientEpoch }: ConsentScope & AtClientEpoch,
): boolean =>
  audience.every((one) => {
    const there = words.filter((approval) => approval.audience.includes(one) && approval.clientEpoch >= clientEpoch);
    return scopes.every((scope) => there.some((word) => word.scopes.includes(scope)));
  });

const withConsent = (current: Consent, event: Exclude<ConsentEvent, { type: 'ConsentWithdrawn' }>): Consent => {
  if (event.type === 'ConsentUsed') {
    const { grantId, expiresAt, usedAt } = event.data;
    return { ...current, uses: [...current.uses.filter((use) => use.expiresAt > usedAt), { grantId, expiresAt }] };
  }
  const { scopes, audience, givenAt, clientEpoch, client } = event.data;
  return {
    ...current,
    scopes: distinctScopes([...current.scopes, ...scopes]),
    audience: [...new Set([...current.audience, ...audience])].sort(),
    givenAt,
    client,
    words: [...current.words, { scopes, audience, clientEpoch }],
  };
};

/** Keeps the uses until they expire: revoking the consent ends their grants. */
const withoutWords = ({ uses }: Consent): Consent => ({ ...noConsent, uses });

const evolve = (state: ConsentState, event: ConsentEvent): ConsentState => {
  const { clientId } = event.data;
  const next = new Map(state);
  const current = consentTo(state, clientId);
  return next.set(clientId, event.type === 'ConsentWithdrawn' ? withoutWords(current) : withConsent(current, event));
};

const decide = (command: ConsentCommand, state: ConsentState): Decision => {
  const { principalId, clientId, at } = command;
  const current = consentTo(state, clientId);
  switch (command.type) {
    case 'GrantConsent': {
      const allowed = { scopes: distinctScopes(command.scopes), audience: [...command.audience] };
      const { clientEpoch, client } = command;
      const data = { principalId, clientId, ...allowed, givenAt: at, clientEpoch, client };
      return right(covers(current, command) ? [] : [{ type: 'ConsentGiven', data }]);
    }
    case 'UseConsent': {
      const { grantId, expiresAt } = command;
      const data = { principalId, clientId, grantId, usedAt: at, expiresAt };
      if (current.givenAt === null || !covers(current, command))
        return reject('consent-not-given', 'The person has not given this consent, or has withdrawn it.');
      return right(current.uses.some((use) => use.grantId === grantId) ? [] : [{ type: 'ConsentUsed', data }]);
    }
    case 'WithdrawConsent':
      return right(
        current.givenAt === null
          ? []
          : [{ type: 'ConsentWithdrawn', data: { principalId, clientId, withdrawnAt: at } }],
      );
  }
};

export const consent: Decider<ConsentCommand, ConsentState, ConsentEvent, ConsentRejection> = {
  family: consents,
  initial: new Map(),
  evolve,
  decide,
};
