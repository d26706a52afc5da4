/** GET /v1/sign-in-policy: how the tenant's people sign in, in the form in which it is set. */
import * as t from 'io-ts';
import { nullable, record } from '../../domain/kernel/codec';
import { commonProblems } from '../../infra/http/problem';
import { type Answer, route } from '../../infra/http/route';
import {
  KnownProvider,
  SignInRules,
  type SignInSettingRow,
  signInSettingsView,
} from '../../projections/identity/sign-in-settings/view';
import { pageOfRows, type Reading } from '../kernel/query';
import { minPosition } from '../kernel/route';

const KnownPolicy = record('KnownSignInPolicy', {
  /** Null: nobody has set any, and the usual ones hold. */
  rules: nullable(SignInRules),
  providers: t.array(KnownProvider),
});

/** More than a tenant can have. */
const limit = 100;

const together = (rows: readonly SignInSettingRow[]) => ({
  rules: rows.find(({ kind }) => kind === 'rules')?.rules ?? null,
  providers: rows.flatMap(({ provider }) => (provider === null ? [] : [provider])),
});

const asked = {
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

export const getSignInPolicy = route<Reading>()({
  method: 'get',
  path: '/v1/sign-in-policy',
  operation: asked.operation,
  summary: "How the tenant's people sign in. Passwords of providers are not shown, only whether there is one.",
  access: { scopes: ['security:read'] },
  headers: [minPosition],
  answers: { 200: { description: 'As it is now.', body: KnownPolicy, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async (reading, request): Promise<Answer> => {
    const answer = await pageOfRows(reading, asked, request);
    if (!('body' in answer)) return answer;
    return { ...answer, body: together((answer.body as { readonly items: readonly SignInSettingRow[] }).items) };
  },
});
