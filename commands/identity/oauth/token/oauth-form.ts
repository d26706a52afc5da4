/** OAuth form parameters (RFC 6749 section 3.2): each occurs once, except resources (RFC 8707). */
import { type Either, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { maxStateLength } from '../../../../domain/identity/authorization/authorization-request';
import { described, type JsonSchema } from '../../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { oauthFailure } from './oauth-error';

export type Form = Readonly<Record<string, unknown>>;
export type Parameters = { readonly [name: string]: string | undefined };

export interface FormParts {
  readonly parameters: Parameters;
  /** Values of `resource` and of its synonym `audience`. */
  readonly resources: readonly string[];
}

const maxParameterLength = 4_096;
/** Limit of assertions and tokens. */
const maxTokenLength = 16_384;
const maxResources = 10;
/** Fields that may be longer than others. */
const maxLengths: ReadonlyMap<string, number> = new Map([
  ...['client_assertion', 'token', 'id_token_hint', 'access_token', 'subject_token', 'actor_token'].map(
    (name) => [name, maxTokenLength] as const,
  ),
  ['state', maxStateLength],
]);

/** Accepts every form: faults are reported as OAuth errors, not as problems. */
export const oauthForm = (name: string, schema: JsonSchema) =>
  described(
    new t.Type<Form, Form, unknown>(
      name,
      t.UnknownRecord.is,
      (value, context) => (value === undefined ? t.success({}) : t.UnknownRecord.validate(value, context)),
      t.identity,
    ),
    schema,
  );

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

const tooLong = (name: string, value: unknown): string | undefined => {
  const most = maxLengths.get(name) ?? maxParameterLength;
  if (textsOf(value).every(({ length }) => length <= most)) return undefined;
  // A name of the caller's is not repeated: it may have any characters.
  return /^[a-z_]{1,64}$/.test(name)
    ? `The parameter ${name} is longer than ${most} characters.`
    : `A parameter is longer than ${most} characters.`;
};

/** Empty parameters count as absent; repeated ones make the request invalid (RFC 6749 section 3.2). */
export const parseForm = (form: Form): Either<JsonAnswer, FormParts> => {
  const entries = Object.entries(form);
  if (entries.some(([name, value]) => typeof value !== 'string' && name !== 'resource'))
    return oauthFailure('invalid_request', 'A parameter occurs more than once.');
  for (const [name, value] of entries) {
    const refusal = tooLong(name, value);
    if (refusal !== undefined) return oauthFailure('invalid_request', refusal);
  }
  const resources = [...new Set([...textsOf(form.resource), ...textsOf(form.audience)])];
  if (resources.length > maxResources)
    return oauthFailure('invalid_target', `At most ${maxResources} resources can be requested at once.`);
  const single = entries.filter(([name, value]) => name !== 'resource' && value !== '');
  return right({ parameters: Object.fromEntries(single) as Parameters, resources });
};

const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Undefined: no scope requested. */
export const parseScope = (scope: string | undefined): Either<JsonAnswer, readonly string[] | undefined> => {
  if (scope === undefined) return right(undefined);
  return scopePattern.test(scope) ? right(scope.split(' ')) : oauthFailure('invalid_scope', 'The scope is malformed.');
};
