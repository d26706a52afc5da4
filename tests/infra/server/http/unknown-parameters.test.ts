/** Unknown parameters of a query: one rule for every GET route of every service, held over the table of routes. */
import assert from 'node:assert/strict';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { sampleIdentity, startHttpService } from '../../../support/http/http-service';
import { allRoutes } from '../../../support/http/served-routes';

const refusedName = 'no_such_parameter';
const readsByService = Object.entries(allRoutes()).map(
  ([name, routes]) => [name, routes.filter(({ method }) => method === 'get')] as const,
);
const reads = readsByService.flatMap(([, routes]) => routes);
const scopes = [...new Set(reads.flatMap(({ access }) => (access === 'public' ? [] : access.scopes)))];

/** As it is mounted; instead of doing anything it answers that nothing stopped the request. */
const answering = (route: BoundRoute): BoundRoute => ({ ...route, handle: async () => ({ status: 204 }) });

/** Of OAuth (RFC 6749, section 3.1) and of pages for people. */
const ignoring = /^\/(?:\.well-known|oauth|account|consent|device|sign-in)(?:\/|$)/;

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly expected: string }[];
}

describe('unknown parameters of a query', () => {
  type Service = Awaited<ReturnType<typeof startHttpService>>;
  const services = new Map<string, Service>();
  before(async () => {
    for (const [name, routes] of readsByService) services.set(name, await startHttpService(routes.map(answering)));
  });
  after(async () => {
    for (const service of services.values()) await service.close();
  });

  const get = async (name: string, path: string) => {
    const response = await (services.get(name) as Service).call(path, {
      identity: { ...sampleIdentity, scopes },
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, refusal: text === '' ? undefined : (JSON.parse(text) as Refusal) };
  };
  const targetOf = ({ path }: BoundRoute): string => path.replaceAll(/(?<!\\):\w+/g, 'x').replaceAll('\\', '');

  it('are routes of every context', () => assert.ok(reads.length > 90, String(reads.length)));

  for (const [name, routes] of readsByService)
    for (const route of routes) {
      const isIgnored = ignoring.test(route.path);
      it(`of ${route.path} are ${isIgnored ? 'ignored' : 'refused, each by its name'}`, async () => {
        const { status, refusal } = await get(name, `${targetOf(route)}?${refusedName}=1`);
        const pointers = refusal?.errors?.map(({ pointer }) => pointer) ?? [];
        assert.equal(pointers.includes(`/query/${refusedName}`), !isIgnored, JSON.stringify(refusal));
        if (!isIgnored) assert.deepEqual([status, refusal?.code], [400, 'invalid-input']);
      });
    }

  const searchFaults = async (more: string): Promise<NonNullable<Refusal['errors']>> =>
    (await get('search', `/v1/search?lat=1&lng=2&${more}`)).refusal?.errors ?? [];

  it('are answered with the names that are known', async () => {
    const [{ pointer = '', expected = '' } = {}, ...others] = await searchFaults('radius=5');
    assert.deepEqual([pointer, others], ['/query/radius', []]);
    assert.match(expected, /^no parameter of this name; .*\bradius_m\b/);
  });

  it('are not repeated when they look like values', async () => {
    const faults = await searchFaults('52.5207=13.4095');
    assert.equal(faults[0]?.pointer, '/query');
    assert.doesNotMatch(JSON.stringify(faults), /52\.5207|13\.4095/);
  });

  it('are answered up to a bound', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `p${index}=1`).join('&');
    assert.equal((await searchFaults(many)).length, 32);
  });
});
