/** How each refusal about keys looks from outside. */
import type { SigningKeyRejection } from '../../../domain/identity/signing-keys/decider';
import type { ProblemKind } from '../../../infra/http/problem';
import type { KmsRefusal } from '../../../infra/ports/kms';

export const keyProblems = {
  'algorithm-unsupported': { status: 422, title: 'The keystore cannot make keys for this algorithm' },
  'key-spent': { status: 409, title: 'The key never signs again' },
  'key-too-new': { status: 409, title: 'The key may not be known to all verifiers yet' },
  'key-unknown': { status: 404, title: 'There is no such signing key' },
  'replacement-missing': { status: 409, title: 'The key began to sign meanwhile' },
  'rotation-under-way': { status: 409, title: 'Another key is about to sign' },
  'successor-missing': { status: 409, title: 'There is no key to sign in its place' },
} as const satisfies { readonly [code in SigningKeyRejection | KmsRefusal['code']]: ProblemKind };
