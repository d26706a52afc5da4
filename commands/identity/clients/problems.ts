/** How refusals about clients look from outside. */
import type { ClientRejection } from '../../../domain/identity/client/decider';
import type { ProblemKind } from '../../../infra/http/problem';

export const clientProblems = {
  'client-differs': { status: 409, title: 'The client exists and says something else' },
  'client-disabled': { status: 409, title: 'The client is disabled' },
  'client-has-no-secrets': { status: 409, title: 'The client does not authenticate with a secret' },
  'client-metadata-invalid': { status: 422, title: 'The registration does not hold together' },
  'client-secret-differs': { status: 409, title: 'The secret exists, and it is another' },
  'client-secret-unknown': { status: 404, title: 'There is no such secret' },
  'client-unknown': { status: 404, title: 'There is no such client' },
  'first-party-not-held': { status: 403, title: 'Only those who operate the platform register first-party clients' },
  'redirect-uri-invalid': { status: 422, title: 'A redirect address cannot be accepted' },
  'scope-not-held': { status: 403, title: 'The caller does not hold the scope' },
  'too-many-client-secrets': { status: 409, title: 'The client has too many secrets' },
} as const satisfies { readonly [code in ClientRejection]: ProblemKind };
