/** GET /v1/credential-policy and GET /v1/sign-in-policy, in the format of their PUT. */

import * as t from 'io-ts';
import { nullable, record } from '../../domain/kernel/codec';
import { commonProblems } from '../../infra/server/http/problem';
import { type Answer, route } from '../../infra/server/http/routing/route';
import {
  credentialPolicyView,
  defaultCredentialPolicy,
  KnownCredentialPolicy,
} from '../../projections/identity/credential-policy/view';
import { KnownRegistrationPolicy, registrationPolicyView } from '../../projections/identity/registration-policy/view';
import {
  defaultRules,
  KnownProvider,
  SignInRules,
  type SignInSettingRow,
  signInSettingsView,
} from '../../projections/identity/sign-in-settings/view';
import { minPosition, oneRoute } from '../kernel/query-routes';
import { toResponseOf } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';

export const getCredentialPolicy = oneRoute({
  path: '/v1/credential-policy',
  operation: 'getCredentialPolicy',
  summary: 'Get the credential policy of the tenant',
  description:
    'Until a tenant sets a policy, the default: credentials last at most 366 days, and every type may have them.',
  scopes: ['security:read'],
  params: record('NoParams', {}),
  item: KnownCredentialPolicy,
  query: () => ({
    view: credentialPolicyView,
    key: {},
    missing: 'The tenant has set no policy for credentials.',
    otherwise: defaultCredentialPolicy,
    show: toResponseOf(KnownCredentialPolicy),
  }),
});

export const getRegistrationPolicy = oneRoute({
  path: '/v1/registration-policy',
  operation: 'getRegistrationPolicy',
  summary: 'Get what applications that register themselves may do',
  description: 'Until a tenant sets a policy, they may request the first audience, and a client_id cannot be a URL.',
  scopes: ['security:read'],
  params: record('NoParams', {}),
  item: KnownRegistrationPolicy,
  query: () => ({
    view: registrationPolicyView,
    key: {},
    missing: 'The tenant has set no policy for applications that register themselves.',
    show: toResponseOf(KnownRegistrationPolicy),
  }),
});

const KnownPolicy = record('KnownSignInPolicy', {
  /** Null: the default rules apply. */
  rules: nullable(SignInRules),
  effectiveRules: SignInRules,
  providers: t.array(KnownProvider),
});

/** Above the maximum of a tenant. */
const limit = 100;

const assemblePolicy = (rows: readonly SignInSettingRow[]) => {
  const rules = rows.find(({ kind }) => kind === 'rules')?.rules ?? null;
  return {
    rules,
    effectiveRules: rules ?? defaultRules,
    providers: rows.flatMap(({ provider }) => (provider === null ? [] : [provider])),
  };
};

const queryRoute = {
  operation: 'getSignInPolicy',
  view: signInSettingsView,
  request: {
    where: {},
    order: [
      { field: 'kind', direction: 'asc' },
      { field: 'name', direction: 'asc' },
    ],
  },
  limit,
  cursor: undefined,
  show: (row: SignInSettingRow) => row,
} as const;

export const getSignInPolicy = route<QueryDeps>()({
  method: 'get',
  path: '/v1/sign-in-policy',
  operation: queryRoute.operation,
  summary: 'Get the sign-in policy of the tenant, without secrets of providers',
  access: { scopes: ['security:read'] },
  headers: [minPosition],
  answers: { 200: { description: 'The current state.', body: KnownPolicy, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async (reading, request): Promise<Answer> => {
    const answer = await queryPage(reading, queryRoute, request);
    if (!('body' in answer)) return answer;
    return { ...answer, body: assemblePolicy((answer.body as { readonly items: readonly SignInSettingRow[] }).items) };
  },
});
