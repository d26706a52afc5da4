/** Routes about the issuers of workloads' credentials that a tenant trusts. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { WorkloadIssuerId } from '../../../domain/identity/ids';
import { workloadTrust } from '../../../domain/identity/workload-trust/decider';
import {
  type WorkloadIssuer,
  WorkloadIssuerKind,
  workloadIssuerFields,
  workloadTrustStream,
} from '../../../domain/identity/workload-trust/events';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import type { ClientOffer } from '../clients/client-metadata';
import { WithReason } from '../principals/principal-routes';
import { workloadTrustProblems } from '../problems';
import type { WorkloadDeps } from '../token-exchange/exchange';
import { parseTrustedKey } from '../token-exchange/workload/issuer-keys';

export interface WorkloadTrustDeps extends CommandDeps, WorkloadDeps, Pick<ClientOffer, 'audiences'> {
  readonly issuer: string;
}

const IssuerBody = record(
  'TrustedIssuer',
  { name: workloadIssuerFields.name, kind: WorkloadIssuerKind, issuer: workloadIssuerFields.issuer },
  {
    keysUri: workloadIssuerFields.keysUri,
    keys: record('IssuerKeys', { keys: t.array(t.UnknownRecord, 'IssuerKeyList') }),
    claims: workloadIssuerFields.claims,
  },
);
type IssuerBody = t.TypeOf<typeof IssuerBody>;

const readIssuer = ({
  keys: set,
  keysUri = null,
  claims = [],
  ...named
}: IssuerBody): Either<Problem, WorkloadIssuer> => {
  const keys = set?.keys.map(parseTrustedKey);
  if (keys?.length === 0 || keys?.some((key) => key === undefined)) {
    const detail = 'keys must contain only public keys of supported types, and at least one.';
    return left(problemOf({ kind: 'rejection', code: 'workload-issuer-invalid', detail }, workloadTrustProblems));
  }
  const known = keys?.filter((key) => key !== undefined);
  return right({ ...named, keysUri, keys: known === undefined ? null : { keys: known }, claims });
};

const IssuerPath = record('WorkloadIssuerPath', { issuerId: WorkloadIssuerId });
const commonRoute = {
  scopes: ['security:write'],
  answer: record('WorkloadIssuerAnswer', { issuerId: WorkloadIssuerId }),
  decider: workloadTrust,
  problems: workloadTrustProblems,
};

const example = { name: 'GitHub Actions', kind: 'github', issuer: 'https://token.actions.githubusercontent.com' };

const fieldsNote =
  '`keysUri` is where its keys are (JWK Set, or the bundle of a SPIFFE trust domain); without it they are found by discovery, unless `keys` has them. ' +
  '`claims` says from which claims attributes are read, where the kind does not know them.';

export const trustIssuerRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/workload-issuers',
  operation: 'trustWorkloadIssuer',
  example,
  danger: true,
  summary: "Trust an issuer of workloads' credentials",
  description: `It gives nothing by itself: trust rules do. ${fieldsNote} A tenant trusts at most 50.`,
  body: IssuerBody,
  created: true,
  prepare: ({ body, tenantId, at, derivedId }, { workloads: { allowsPlainHttp } }) => {
    const issuer = readIssuer(body);
    if (issuer._tag === 'Left') return issuer;
    const issuerId = derivedId('workload-issuer') as WorkloadIssuerId;
    return right({
      stream: workloadTrustStream(tenantId),
      command: { type: 'TrustIssuer', issuerId, issuer: issuer.right, allowsPlainHttp, at },
      answer: { issuerId },
      location: `/v1/workload-issuers/${issuerId}`,
    });
  },
});

export const changeIssuerRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'put',
  path: '/v1/workload-issuers/:issuerId',
  operation: 'changeWorkloadIssuer',
  example,
  danger: true,
  summary: 'Replace name, keys and claims of an issuer',
  description: `\`kind\` and \`issuer\` stay. Whoever controls the keys can state anything, so the caller needs all scopes that the rules of the issuer give. ${fieldsNote}`,
  params: IssuerPath,
  body: IssuerBody,
  prepare: ({ params: { issuerId }, body, tenantId, identity }, { workloads: { allowsPlainHttp } }) => {
    const issuer = readIssuer(body);
    if (issuer._tag === 'Left') return issuer;
    return right({
      stream: workloadTrustStream(tenantId),
      command: { type: 'ChangeIssuer', issuerId, issuer: issuer.right, allowsPlainHttp, held: identity.scopes },
      answer: { issuerId },
    });
  },
});

export const endIssuerRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/workload-issuers/:issuerId/end',
  operation: 'endWorkloadIssuer',
  sensitive: true,
  summary: 'End the trust in an issuer, and its rules',
  description: 'Tokens that were issued last out their minutes: revoke their grants to end them at once.',
  params: IssuerPath,
  body: WithReason,
  prepare: ({ params: { issuerId }, body: { reason }, tenantId }) =>
    right({
      stream: workloadTrustStream(tenantId),
      command: { type: 'EndIssuer', issuerId, reason },
      answer: { issuerId },
    }),
});
