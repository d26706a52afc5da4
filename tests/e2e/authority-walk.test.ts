/**
 * Walks over all routes with resources of a principal that holds every scope: as the first administrator of another tenant, and in the same tenant as
 * a pipeline that holds just the route's scope, and as one that holds every scope but one. A new route is in it by itself.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminScopes, personScopes } from '../../domain/identity/scopes';
import { parseStreamName } from '../../domain/kernel/ids';
import type { StoredEvent } from '../../infra/ports/event-store';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type ServedOperation, servedOperations } from '../support/http/served-operations';
import { type ClientCredential, contentOf, issueTokenTo, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { requestsOf, type WalkRequest } from './authority-walk/requests';
import { makeWalkedTenant, type WalkedTenant } from './authority-walk/resources';

const scopesPage = join(__dirname, '..', '..', 'docs', 'scopes.md');

/** What ends, removes or tightens comes last, so that it hides no refusal of what comes after it. */
const endsSomething =
  /^(archive|bump|cancel|change|close|configure|decline|delete|disable|drain|end|forget|giveTokenBack|mark|remove|retire|retry|revoke|set[A-Z]|suspend|trash|withdraw)/;

/** Sessions of the gateway's own pages are cookies, which the walk does not have. */
const inWalk = servedOperations.filter(({ path }) => !path.startsWith('/console/'));
const harmlessFirst = [
  inWalk.filter(({ operation }) => !endsSomething.test(operation)),
  inWalk.filter(({ operation }) => endsSomething.test(operation)),
];
const walked = harmlessFirst.flat();

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

/** Of what the walk makes no resource; tests of their contexts cross tenants with real ones. */
const notMade = [
  'downloadArtifact: 404 artifact-unknown',
  'getAgentAction: 404 not-found',
  'getAlert: 404 not-found',
  'getFileChunk: 404 chunk-unknown',
  'getFileDeletion: 404 file-unknown',
  'getJob: 400 invalid-input',
  'getSharedVideoKey: 409 playback-unknown',
  'getSharedVideoPlayback: 404 video-unknown',
  'getVideoKey: 409 playback-unknown',
  'getVideoPlayback: 409 not-playable',
  'getVideoSource: 404 not-found',
  'readDeliveredObject: 404 not-found',
  'listArtifactsForJob: 401 unauthenticated',
  'readJobLog: 404 log-unknown',
];

/** Drills have a principal, a grant and a token of their own, in no tenant. */
const ofDrills = /^identity\.(principal|grant|denials|endSessionsOnSecurityEpochBumped)-platform\./;

/** An empty list discloses nothing. */
const isEmptyList = (text: string): boolean => /^\{"items":\[\]/.test(text);
/** Succeed in the caller's own tenant, which has rules of the same names, and for what is not there, too: what is recorded is compared below. */
const harmless = new Set(['endSessions', 'setDetectionRule', 'setSourceWriters']);

const strangers = 8;

const streamMilliseconds = 300;

/** The beginning of a stream is enough: it would show what there is. */
const textOf = async (answer: Response, isStream: boolean): Promise<string> => {
  if (!isStream || !answer.ok) return answer.text();
  const reader = answer.body?.getReader();
  let text = '';
  const timer = setTimeout(() => void reader?.cancel(), streamMilliseconds);
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    text += Buffer.from(part.value).toString();
  clearTimeout(timer);
  return text;
};

const codeIn = (text: string): string => {
  try {
    const { code, error } = JSON.parse(text) as { readonly code?: string; readonly error?: string };
    return code ?? error ?? '';
  } catch {
    return '';
  }
};

describe('all routes', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('authority-walk');
  let system: System;
  let victim: WalkedTenant;
  let elsewhere: Tenant;
  /** Where the log ended before the walk. */
  let began: bigint | null;

  const send = async (token: string | undefined, served: ServedOperation, request: WalkRequest): Promise<Answer> => {
    const { method, target, mediaType, body } = request;
    const answer = await fetch(`${system.url}${target}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-request-id': `walk-${served.operation}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await textOf(answer, served.isStream);
    return { status: answer.status, code: codeIn(text), text };
  };
  const nameOf = ({ operation, variant }: WalkRequest): string =>
    variant === '' ? operation : `${operation}, ${variant}`;

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    began = await system.head();
    [victim, elsewhere] = await Promise.all([makeWalkedTenant(system, home.path), openTenant(system)]);
  });
  after(async () => {
    await system.close();
    home.remove();
  });

  /** What the administrator of the walked tenant is refused, and how many answers have a name of its resources. */
  const readAsOwner = async () => {
    const token = await victim.tenant.freshToken();
    const refused: string[] = [];
    let named = 0;
    for (const served of walked) {
      if (served.method !== 'GET' || !served.path.includes('{') || served.isStream) continue;
      for (const request of requestsOf(served, victim.ids)) {
        const { status, code, text } = await send(token, served, request);
        if (status >= 300) refused.push(`${nameOf(request)}: ${status} ${code}`);
        if (text.includes(victim.marker)) named += 1;
      }
    }
    return { refused: refused.sort(), named };
  };
  let asOwner: Awaited<ReturnType<typeof readAsOwner>>;

  it('find the resources of the walk where their own administrator reads', async () => {
    asOwner = await readAsOwner();
    assert.deepEqual(asOwner.refused, notMade.toSorted());
    assert.ok(asOwner.named > 5, `${asOwner.named} answers with a name`);
  });

  /** Of every route; each with every resource that it can name. */
  const walk = async (
    tokenFor: (served: ServedOperation) => Promise<string | undefined>,
    look: (request: WalkRequest, answer: Answer, served: ServedOperation) => void,
    /** More than one where the order cannot matter, because nothing may happen. */
    { walkers = 1, over = walked }: { readonly walkers?: number; readonly over?: readonly ServedOperation[] } = {},
  ): Promise<void> => {
    const left = over.values();
    const go = async (): Promise<void> => {
      for (const served of left) {
        const token = await tokenFor(served);
        for (const request of requestsOf(served, victim.ids)) look(request, await send(token, served, request), served);
      }
    };
    await Promise.all(Array.from({ length: walkers }, go));
  };
  const outcome = ({ status, code }: Answer): string => (code === '' ? String(status) : `${status} ${code}`);
  /** What was recorded in the victim's tenant and in the platform's own streams. */
  const recordedAfter = async (position: bigint | null): Promise<readonly StoredEvent[]> => {
    const events = await system.eventsAfter(position);
    const { tenantId } = victim.tenant;
    return events.filter(({ stream }) => {
      const owner = parseStreamName(stream)?.tenant;
      return owner === tenantId || owner === 'platform';
    });
  };

  it('that need a token refuse every request without one', async () => {
    const answered: string[] = [];
    await walk(
      async () => undefined,
      (request, answer, { needsToken }) => {
        if (needsToken && answer.status !== 401) answered.push(`${nameOf(request)}: ${outcome(answer)}`);
        if (answer.status >= 500) answered.push(`${nameOf(request)}: ${outcome(answer)}`);
      },
      { walkers: strangers },
    );
    assert.deepEqual(answered, []);
  });

  type Caller = 'weak' | 'strong' | 'foreign';
  const outcomes = new Map<string, { readonly scope: string } & { readonly [caller in Caller]: string }>();
  const note = (request: WalkRequest, { scopes }: ServedOperation, column: Caller, text: string): void => {
    const row = outcomes.get(nameOf(request)) ?? { scope: scopes[0] ?? '', weak: '', strong: '', foreign: '' };
    outcomes.set(nameOf(request), { ...row, [column]: text });
  };

  it('show the administrator of another tenant nothing, and let them change nothing', async () => {
    const before = await system.head();
    const [disclosed, failed, succeeded]: [string[], string[], string[]] = [[], [], []];
    const token = await elsewhere.freshToken();
    await walk(
      async () => token,
      (request, answer, served) => {
        const name = nameOf(request);
        note(request, served, 'foreign', outcome(answer));
        if (answer.text.includes(victim.marker)) disclosed.push(name);
        if (answer.status >= 500) failed.push(`${name}: ${outcome(answer)}`);
        const isDisclosed = answer.status < 300 && served.path.includes('{') && !isEmptyList(answer.text);
        if (isDisclosed && !harmless.has(served.operation)) succeeded.push(`${name}: ${answer.text.slice(0, 100)}`);
      },
      { walkers: strangers },
    );
    assert.deepEqual(disclosed, [], 'disclosed');
    assert.deepEqual(failed, [], 'failed');
    assert.deepEqual(succeeded, [], 'succeeded');
    const recorded = await recordedAfter(before);
    // The other tenant registers an API of its own, whose audience it claims in a stream of the platform.
    const changes = recorded.filter(
      ({ stream, type }) => !type.startsWith('identity.AudienceClaimed.') && !ofDrills.test(stream),
    );
    assert.deepEqual(
      changes.map(({ stream, type }) => `${stream} ${type}`),
      [],
    );
    // Nothing was erased outside of the log either, such as keys of personal data.
    assert.deepEqual(await readAsOwner(), asOwner);
  });

  /** Pipelines of the victim's tenant, by their scopes. */
  const pipelines = new Map<string, Promise<{ readonly principalId: string; readonly token: string }>>();
  const makePipeline = async (scopes: readonly string[]) => {
    const { send: asAdministrator } = victim.tenant;
    const { principalId } = await contentOf<{ principalId: string }>(
      asAdministrator('POST', '/v1/principals', { principalType: 'PIPELINE' }),
    );
    const credential = asAdministrator('POST', `/v1/principals/${principalId}/credentials`, { scopes });
    return { principalId, token: await issueTokenTo(system, await contentOf<ClientCredential>(credential)) };
  };
  const pipelineWith = async (scopes: readonly string[]): Promise<string> => {
    const made = pipelines.get(scopes.join(' ')) ?? makePipeline(scopes);
    pipelines.set(scopes.join(' '), made);
    return (await made).token;
  };
  /** Where the handler checks alternatives, the first reaches what is of others. */
  const justTheScope = ({ scopes: [wanted = ''] }: ServedOperation): readonly string[] =>
    // What only services of the platform have is tried without it.
    [adminScopes.find((one) => one === wanted) ?? 'places:read'];
  /** The owner of the resources has every scope, so this caller lacks one of the owner's. */
  const allButOne = adminScopes.filter((scope) => scope !== 'keys:read');
  /** Facts that hand out authority, or give a caller a way to act as another. */
  const handsOut =
    /\.(RolesGranted|ScopesGranted|CredentialIssued|ServiceClientAuthorized|EnrolmentIssued|PrincipalReactivated|TotpRemoved|PasskeyRemoved|ClientRegistered|ClientChanged|ClientSecretIssued|ClientEnabled|TrustRuleAuthorized|TrustRuleMade|TrustRuleChanged|WorkloadIssuerChanged|TenantRegistered)\./;

  it('let a pipeline that may less than an owner hand out or borrow none of the owner’s authority', async () => {
    const before = await system.head();
    const failed: string[] = [];
    const walkAs = (caller: Caller, scopesFor: (served: ServedOperation) => readonly string[], over: typeof walked) =>
      walk(
        async (served) => (served.needsToken ? pipelineWith(scopesFor(served)) : undefined),
        (request, answer, served) => {
          note(request, served, caller, outcome(answer));
          if (answer.status >= 500) failed.push(`${nameOf(request)}: ${outcome(answer)}`);
        },
        { over },
      );
    for (const over of harmlessFirst) {
      await walkAs('weak', justTheScope, over);
      await walkAs('strong', () => allButOne, over);
    }
    assert.deepEqual(failed, []);
    const heldBy = new Map<string, readonly string[]>();
    for (const [scopes, pipeline] of pipelines) heldBy.set((await pipeline).principalId, scopes.split(' '));
    const beyond: string[] = [];
    for (const { stream, type, data, metadata } of await recordedAfter(before)) {
      const held = heldBy.get((metadata as { readonly actor?: string }).actor ?? '');
      if (held === undefined || !handsOut.test(type)) continue;
      const { scopes = [] } = data as { readonly scopes?: readonly string[] };
      // A caller may grant its own scope to any principal; all else on what is the owner's is a way to act as the owner.
      const isVictims =
        !type.includes('.ScopesGranted.') && Object.values(victim.ids).some((id) => stream.endsWith(`.${id}`));
      const more = scopes.filter((scope) => !held.includes(scope) && !personScopes.some((one) => one === scope));
      if (isVictims || more.length > 0) beyond.push(`${type} in ${stream}: ${more.join(' ')}`);
    }
    assert.deepEqual(beyond, []);
  });

  it('are danger where they hand out authority', async () => {
    const known = new Map(walked.map((served) => [`walk-${served.operation}`, served]));
    const handingOut = (await system.eventsAfter(began)).flatMap(({ type, metadata }) => {
      const served = known.get((metadata as { readonly $correlationId?: string }).$correlationId ?? '');
      return served !== undefined && handsOut.test(type) ? [served] : [];
    });
    const names = (isDanger: boolean): readonly string[] => [
      ...new Set(handingOut.filter((served) => served.isDanger === isDanger).map(({ operation }) => operation)),
    ];
    assert.deepEqual(names(false), []);
    assert.deepEqual(names(true).toSorted(), ['grantScopes', 'registerClient', 'registerPerson']);
  });

  it('are in docs/scopes.md, with what those callers get', () => {
    const page = readFileSync(scopesPage, 'utf8');
    const named = walked.filter(
      ({ scopes, path, body }) => scopes.length > 0 && (path.includes('{') || body !== undefined),
    );
    const rows = named.flatMap(({ operation }) =>
      [...outcomes]
        .filter(([name]) => name === operation || name.startsWith(`${operation}, `))
        .map(
          ([name, { scope, weak, strong, foreign }]) =>
            `| \`${name}\` | \`${scope}\` | ${weak} | ${strong} | ${foreign} |`,
        ),
    );
    const columns = [
      'Operation',
      'Scope',
      'That scope alone',
      'Every scope but one',
      'Administrator of another tenant',
    ];
    const head = [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`];
    const now = page.replace(
      /(<!-- walk -->\n)[\s\S]*?(\n<!-- end -->)/,
      (_, begin: string, end: string) => `${begin}${[...head, ...rows].join('\n')}${end}`,
    );
    if (process.env.SCOPES_WRITE !== undefined) writeFileSync(scopesPage, now);
    assert.equal(readFileSync(scopesPage, 'utf8'), now, 'run this file with SCOPES_WRITE=1, and read what changed');
  });
});
