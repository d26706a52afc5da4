/** What a person's consents grow by, and how each ends. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { Rejection } from '../../kernel/rejection';
import type { ClientId, GrantId } from '../ids';
import type { PrincipalId } from '../principal-id';
import { distinct, type Scope } from '../scopes';
import { type ConsentEvent, consents } from './events';

export interface Allowing {
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
}

interface Use {
  readonly grantId: GrantId;
  readonly expiresAt: Instant;
}

export interface Consent extends Allowing {
  readonly givenAt: Instant | null;
  /** Those that may still live. */
  readonly uses: readonly Use[];
}

export type ConsentState = ReadonlyMap<ClientId, Consent>;

interface About {
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly at: Instant;
}

export interface GiveConsent extends About, Allowing {
  readonly type: 'GiveConsent';
}

export interface UseConsent extends About, Use {
  readonly type: 'UseConsent';
}

export interface WithdrawConsent extends About {
  readonly type: 'WithdrawConsent';
}

export type ConsentCommand = GiveConsent | UseConsent | WithdrawConsent;

type Decision = Either<Rejection<never>, readonly ConsentEvent[]>;

const nothing: Consent = { scopes: [], audience: [], givenAt: null, uses: [] };

export const consentTo = (state: ConsentState, clientId: ClientId): Consent => state.get(clientId) ?? nothing;

/** Whether all of that was allowed before. */
export const covers = (given: Allowing, { scopes, audience }: Allowing): boolean =>
  scopes.every((scope) => given.scopes.includes(scope)) && audience.every((one) => given.audience.includes(one));

const grown = (known: Consent, event: Exclude<ConsentEvent, { type: 'ConsentWithdrawn' }>): Consent => {
  if (event.type === 'ConsentUsed') {
    const { grantId, expiresAt, usedAt } = event.data;
    return { ...known, uses: [...known.uses.filter((use) => use.expiresAt > usedAt), { grantId, expiresAt }] };
  }
  const { scopes, audience, givenAt } = event.data;
  return {
    ...known,
    scopes: distinct([...known.scopes, ...scopes]),
    audience: [...new Set([...known.audience, ...audience])].sort(),
    givenAt,
  };
};

const evolve = (state: ConsentState, event: ConsentEvent): ConsentState => {
  const { clientId } = event.data;
  const next = new Map(state);
  if (event.type === 'ConsentWithdrawn') next.delete(clientId);
  else next.set(clientId, grown(consentTo(state, clientId), event));
  return next;
};

const decide = (command: ConsentCommand, state: ConsentState): Decision => {
  const { principalId, clientId, at } = command;
  const known = consentTo(state, clientId);
  switch (command.type) {
    case 'GiveConsent': {
      const allowed = { scopes: distinct(command.scopes), audience: [...command.audience] };
      const data = { principalId, clientId, ...allowed, givenAt: at };
      return right(covers(known, command) ? [] : [{ type: 'ConsentGiven', data }]);
    }
    case 'UseConsent': {
      const { grantId, expiresAt } = command;
      const data = { principalId, clientId, grantId, usedAt: at, expiresAt };
      return right(known.uses.some((use) => use.grantId === grantId) ? [] : [{ type: 'ConsentUsed', data }]);
    }
    case 'WithdrawConsent':
      return right(
        state.has(clientId) ? [{ type: 'ConsentWithdrawn', data: { principalId, clientId, withdrawnAt: at } }] : [],
      );
  }
};

export const consent: Decider<ConsentCommand, ConsentState, ConsentEvent, never> = {
  family: consents,
  initial: new Map(),
  evolve,
  decide,
};
