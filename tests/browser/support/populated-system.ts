/** What a system holds after some minutes of work: people, clients, a document, places, a run, files, and traffic that limits refused. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, clientCredentials, connect } from '../../../packages/client/src/index';
import { openEditor } from '../../../packages/editor-engine/src/node';
import { importFile, writeLines } from '../../../tools/load-places/import-file';
import { realPlaces } from '../../../tools/load-places/real-places';
import { syntheticPlaces } from '../../../tools/load-places/synthetic-places';
import type { FirstSignIn } from '../../support/identity/first-sign-in';
import { populateFiles } from './populated-files';
import { pushStorefront } from './storefront';

const people = [
  ['ada@example.org', 'Ada Lovelace'],
  ['grace@example.org', 'Grace Hopper'],
  ['edsger@example.org', 'Edsger Dijkstra'],
  ['barbara@example.org', 'Barbara Liskov'],
] as const;

/** Traffic of some minutes, in waves: what the overview draws was all measured. Ends with a burst that limits refuse. */
const work = async (septet: Client, minutes: number, edit: () => Promise<unknown>): Promise<void> => {
  const began = Date.now();
  const end = began + minutes * 60_000;
  for (let round = 0; Date.now() < end; round += 1) {
    const busy = 1 + Math.sin((Date.now() - began) / 40_000) / 2;
    const requests = Array.from({ length: Math.round(60 * busy) }, (_, nth) => ({
      dimensions: { user: `captain-${nth % 40}` },
    }));
    await septet.checkRateLimits({ body: { requests } });
    await edit();
    for (let nth = 0; nth < 3 * busy; nth += 1)
      await septet.registerPrincipal({ body: { principalType: 'AI_AGENT', label: `Pilot ${round}` } });
    if (round % 5 === 0) await septet.listPrincipals({ limit: 50 });
    await sleep(1_000);
  }
  const burst = Array.from({ length: 100 }, () => ({ dimensions: { user: 'harbour-master' } }));
  for (let round = 0; round < 6; round += 1) await septet.checkRateLimits({ body: { requests: burst } });
};

/** The towns around Sicily, and made-up places in them. */
const importPlaces = async (url: string, token: () => Promise<string>, path: string): Promise<void> => {
  const towns = realPlaces().filter(({ lat, lng }) => lat > 36 && lat < 39 && lng > 12 && lng < 16);
  const sources = {
    geonames: towns.map(({ line }) => line),
    synthetic: syntheticPlaces(towns, { count: 2_000, seed: 1 }),
  };
  for (const [source, lines] of Object.entries(sources)) {
    await writeLines(path, lines);
    const { status } = await importFile({ url, token }, path, { source });
    assert.equal(status, 'completed');
  }
};

interface Options {
  readonly url: string;
  readonly credential: FirstSignIn['credential'];
  /** For the files of the editor, of the imports and of the checkout. */
  readonly folder: string;
  /** How long the traffic lasts. */
  readonly minutes: number;
}

export const populate = async ({ url: baseUrl, credential, folder, minutes }: Options) => {
  const token = clientCredentials({ baseUrl, ...credential });
  const septet = connect({ baseUrl, token });
  const ids: string[] = [];
  for (const [login, displayName] of people) {
    const { body } = await septet.registerPerson({ body: { login, displayName } });
    ids.push(body.principalId);
  }
  const [ada = ''] = ids;
  await septet.grantRoles({ principalId: ada, body: { roles: ['admin'] } });
  for (const label of ['Deploys the shop', 'Nightly import'])
    await septet.registerPrincipal({ body: { principalType: 'PIPELINE', label } });
  const agent = (await septet.registerPrincipal({ body: { principalType: 'AI_AGENT', label: 'Reviews changes' } }))
    .body;
  await septet.grantScopes({ principalId: agent.principalId, body: { scopes: ['documents:read'] } });
  await septet.issueCredential({ principalId: agent.principalId, body: { scopes: ['documents:read'] } });
  await septet.suspendPrincipal({
    principalId: agent.principalId,
    body: { reason: 'Its secret was in a public repository.' },
  });
  const { body: client } = await septet.registerClient({
    body: {
      name: 'Shop',
      redirectUris: ['https://shop.example.org/callback'],
      grantTypes: ['authorization_code', 'refresh_token'],
      authentication: 'client_secret_basic',
      scopes: ['openid', 'profile', 'documents:read'],
    },
  });
  const { body: document } = await septet.createDocument({ body: { title: 'Plan of the harbour' } });
  const { documentId } = document as { readonly documentId: string };
  const accessToken = async (): Promise<string> => {
    const { clientId, clientSecret } = credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    return ((await issued.json()) as { readonly access_token: string }).access_token;
  };
  const editor = await openEditor({
    baseUrl,
    documentId,
    userId: 'admin',
    token: accessToken,
    directory: join(folder, 'editor'),
  });
  await editor.whenCommitted();
  editor.create([{ type: 'rect', properties: { fill: 'teal' } }]);
  await editor.whenCommitted();
  await importPlaces(baseUrl, accessToken, join(folder, 'places.jsonl'));
  const { repoId, run } = await pushStorefront({ septet, url: baseUrl, token: await accessToken(), folder });
  const files = await populateFiles({ url: baseUrl, token: accessToken, septet, ada });
  await work(septet, minutes, async () => {
    editor.create([{ type: 'rect', properties: { fill: 'teal' } }]);
    await editor.whenCommitted();
  });
  return {
    septet,
    editor,
    ada,
    agent: agent.principalId,
    applicationId: client.applicationId,
    documentId,
    repoId,
    run,
    files,
    close: async (): Promise<void> => {
      await editor.close();
      septet.close();
    },
  };
};
