/** Every text that a route takes is held to what readers can see: a new codec that forgets it fails here. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { parseWireMetadata } from '../../../../commands/identity/oauth/client-registration/wire-metadata';
import { PlaceChange } from '../../../../domain/geo/protocol/place-change';
import { decode } from '../../../../domain/kernel/codec';
import { exampleOf } from '../../../../infra/server/http/example';
import { type Components, schemaOf } from '../../../../infra/server/http/json-schema';
import { routesByService } from '../../../../tools/generate-client/served-document';

const hostile: readonly (readonly [string, (value: string) => string])[] = [
  ['U+0000', (value) => `${value}\u0000`],
  ['U+202E', (value) => `\u202e${value}`],
  ['U+200B', (value) => `${value.slice(0, 1)}\u200b${value.slice(1)}`],
  ['a lone surrogate', (value) => `${value}\ud800`],
  ['a blank', () => ' '],
];

/** By operation and pointer: what takes more, with the reason. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/^\w+ \/query\/(?:q|query|search)$/, 'searches find what was stored before'],
  [/^(?:\w+Platform|listJobs|listAuthEvents)\w* \/(?:params|query)\//, 'filters of what was recorded before'],
  [/^(?:check|peek)RateLimits? \/body\/(?:requests\/0\/)?(?:dimensions\/|target$)/, 'are counted as they come'],
  [/^setSignInPolicy \/body\/providers\/0\/password$/, 'a secret of a provider, sent as it is'],
  [/^addVideoCaptions \/body\/content$/, 'a file, which is read, and cleaned of what is no text, by the handler'],
  [/^(?:(?:add|change)WebhookEndpoint|describeVideo) \/body\/description$/, 'may be empty, which a blank is stored as'],
  [/^receiveRepositoryEvent \/body\/inputs\/name$/, 'inputs are content of programs'],
  [/^commitOperations \/body\/operations\/0\/payload\//, 'is decoded by type, where the operation is resolved'],
  [/^requestApproval \/body\/body\//, 'is the body of another request, shown with what is invisible in it'],
  [/^(?:completeJob|reportStep|\w*[hH]eartbeat)\w* \/body\//, 'what programs of a job print, shown with U+FFFD'],
];
const neededExceptions = new Set<string>();
const isExcepted = (place: string): boolean => {
  const reasons = exceptions.filter(([shape]) => shape.test(place)).map(([, reason]) => reason);
  for (const reason of reasons) neededExceptions.add(reason);
  return reasons.length > 0;
};

type Path = readonly (string | number)[];
const textsIn = (value: unknown, path: Path = []): readonly (readonly [Path, string])[] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
};

const replaced = (value: unknown, [key, ...rest]: Path, text: string): unknown => {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, index) => (index === Number(key) ? replaced(item, rest, text) : item));
  const fields = value as { readonly [field: string]: unknown };
  return { ...fields, [key]: replaced(fields[key], rest, text) };
};

const pointerOf = (path: Path): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

interface Checked {
  readonly place: string;
  readonly codec: t.Any;
  readonly example: unknown;
}

const exampleFor = (codec: t.Any): unknown => {
  const components: Components = new Map();
  const schema = schemaOf(codec, components, 'closed');
  return exampleOf(schema, components);
};

/** That of the route shows less than the codec takes; that of the codec may break a rule between fields. */
const examplesOf = (codec: t.Any, ofRoute: unknown): readonly unknown[] =>
  ofRoute === undefined
    ? [exampleFor(codec)]
    : [ofRoute, ...[exampleFor(codec)].filter((whole) => isRight(decode(codec, whole)))];

/** Their content is checked below by the codecs that the handlers have for it. */
const decodedByHandler = new Set(['applyPlaceChanges', 'registerClient']);

/** As a caller writes them: all of path and query is text. */
const written = (example: unknown): unknown =>
  typeof example === 'object' && example !== null
    ? Object.fromEntries(Object.entries(example).map(([name, value]) => [name, String(value)]))
    : example;

const routes = Object.values(routesByService()).flat();
const inputs: readonly Checked[] = [
  ...routes.flatMap(({ operation, params, query, body, example, bodyType }) => [
    ...[
      { part: 'params', codec: params },
      { part: 'query', codec: query },
    ].flatMap(({ part, codec }) =>
      codec === undefined
        ? []
        : [{ place: `${operation} /${part}`, codec: codec as t.Any, example: written(exampleFor(codec as t.Any)) }],
    ),
    // Forms of OAuth and of pages are taken whole; their handlers decode each parameter, or compare it with what is registered.
    ...(body === undefined || bodyType === 'form' || decodedByHandler.has(operation)
      ? []
      : examplesOf(body as t.Any, example).map((one) => ({
          place: `${operation} /body`,
          codec: body as t.Any,
          example: one,
        }))),
  ]),
  { place: 'a change of a place ', codec: PlaceChange, example: exampleFor(PlaceChange) },
];

/** Where a hostile text is taken, or refused without its pointer. */
const faultsOf = ({ place, codec, example }: Checked): readonly string[] =>
  textsIn(example).flatMap(([path, text]) => {
    const at = pointerOf(path);
    if (isExcepted(`${place}${at}`)) return [];
    return hostile.flatMap(([what, spoil]) => {
      const read = decode(codec, replaced(example, path, spoil(text)));
      if (isRight(read)) return [`${place}${at} takes ${what}`];
      return read.left.some(({ pointer }) => at.startsWith(pointer)) ? [] : [`${place}${at} refuses ${what} elsewhere`];
    });
  });

describe('texts of inputs', () => {
  it('are of examples that their codecs take, so that nothing is refused for another reason', () => {
    const refused = inputs.filter(({ codec, example }) => isLeft(decode(codec, example))).map(({ place }) => place);
    assert.deepEqual(refused, []);
  });

  it('have no control, direction override, zero-width space or lone surrogate, and are not blank', () =>
    assert.equal(inputs.flatMap(faultsOf).join('\n'), ''));

  it('have no exception that nothing needs', () =>
    assert.deepEqual([...neededExceptions].sort(), exceptions.map(([, reason]) => reason).sort()));

  it('are as strict in the metadata of dynamic registration', () => {
    const metadata = {
      client_name: 'Billing console',
      redirect_uris: ['https://app.example/callback'],
      post_logout_redirect_uris: ['https://app.example/'],
      scope: 'openid',
      token_endpoint_auth_method: 'none',
    };
    const parsed = (value: unknown) =>
      parseWireMetadata(value, { audiences: ['septet'], accessTokenAlgorithm: 'ES256' });
    assert.ok(isRight(parsed(metadata)));
    const taken = textsIn(metadata).flatMap(([path, text]) =>
      hostile
        .filter(([, spoil]) => isRight(parsed(replaced(metadata, path, spoil(text)))))
        .map(([what]) => [path, what]),
    );
    assert.deepEqual(taken, []);
  });

  it('are many', () => assert.ok(inputs.flatMap(({ example }) => textsIn(example)).length > 300));
});
