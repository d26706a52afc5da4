/** The jars of the local Elasticsearch: where they come from, and that only pinned ones are taken. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { fetchJars, type Jar, readJarList } from '../../../../infra/operate/launch/servers/elasticsearch/fetch-jars';
import {
  type MavenRegistry,
  mavenRegistry,
} from '../../../../infra/operate/launch/servers/elasticsearch/maven-registry';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const jarOf = (name: string, content: string): Jar => ({
  path: `org/example/${name}/1/${name}-1.jar`,
  sha256: createHash('sha256').update(content).digest('hex'),
  in: 'classpath',
});

describe('jars', () => {
  const root = useTemporaryDirectory('jars');
  const requested: string[] = [];
  const served = new Map<string, string>();
  const server = createServer((request, response) => {
    requested.push(`${request.url} ${request.headers.authorization ?? ''}`.trim());
    const content = served.get(String(request.url));
    response.statusCode = content === undefined ? 404 : 200;
    response.end(content ?? 'no such file');
  });
  let url: string;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => void server.close());
  afterEach(() => {
    requested.length = 0;
    served.clear();
  });

  const registry = (more: Partial<MavenRegistry> = {}): MavenRegistry => ({
    url,
    authorization: undefined,
    localRepository: join(root, 'no-repository'),
    ...more,
  });
  const fetchInto = (name: string, jars: readonly Jar[], more?: Partial<MavenRegistry>) =>
    fetchJars({
      jars,
      directory: join(root, name),
      registry: registry(more),
      notFetched: 'They could not be fetched.',
      progress: () => undefined,
    });

  it('are fetched from the registry, with its credentials, and once', async () => {
    const jars = [jarOf('a', 'A'), jarOf('b', 'B')];
    for (const [index, { path }] of jars.entries()) served.set(`/${path}`, 'AB'[index] as string);
    assert.ok(isRight(await fetchInto('fetched', jars, { authorization: 'Basic eA==' })));
    assert.ok(isRight(await fetchInto('fetched', jars)));
    assert.deepEqual(requested.sort(), jars.map(({ path }) => `/${path} Basic eA==`).sort());
    assert.deepEqual(readdirSync(join(root, 'fetched')).sort(), ['a-1.jar', 'b-1.jar']);
    assert.equal(readFileSync(join(root, 'fetched', 'a-1.jar'), 'utf8'), 'A');
  });

  it('are taken from the local repository of Maven, where they are the pinned ones', async () => {
    const [whole, damaged] = [jarOf('a', 'A'), jarOf('b', 'B')];
    const localRepository = join(root, 'repository');
    for (const [{ path }, content] of [
      [whole, 'A'],
      [damaged, 'broken'],
    ] as const) {
      mkdirSync(dirname(join(localRepository, path)), { recursive: true });
      writeFileSync(join(localRepository, path), content);
    }
    served.set(`/${damaged.path}`, 'B');
    assert.ok(isRight(await fetchInto('local', [whole, damaged], { localRepository })));
    assert.deepEqual(requested, [`/${damaged.path}`]);
  });

  it('are refused when they are not the pinned ones, or not there; operators read which', async () => {
    const jar = jarOf('a', 'A');
    for (const [content, cause] of [
      ['something else', /a-1\.jar: not the file that is pinned/],
      [undefined, /a-1\.jar: status 404/],
    ] as const) {
      if (content !== undefined) served.set(`/${jar.path}`, content);
      else served.clear();
      const fetched = await fetchInto('refused', [jar]);
      assert.ok(isLeft(fetched));
      assert.equal(fetched.left.detail, 'They could not be fetched.');
      assert.match(String(fetched.left.cause), cause);
      assert.deepEqual(readdirSync(join(root, 'refused')), []);
    }
  });

  it('of Elasticsearch are pinned one by one, from one release', () => {
    const project = join(__dirname, '..', '..', '..', '..', 'infra', 'adapters', 'elastic', 'server');
    const { elasticsearch, jars } = readJarList(project);
    assert.equal(new Set(jars.map(({ path }) => path)).size, jars.length);
    for (const { path, sha256 } of jars) {
      assert.match(sha256, /^[0-9a-f]{64}$/);
      if (path.startsWith('org/elasticsearch/')) assert.ok(path.includes(`/${elasticsearch}/`), path);
    }
    assert.equal(jars.filter((jar) => jar.in === 'compiler').length, 1);
  });
});

describe('the registry of Maven', () => {
  const home = useTemporaryDirectory('maven');
  const write = (settings: string): void => {
    mkdirSync(join(home, '.m2'), { recursive: true });
    writeFileSync(join(home, '.m2', 'settings.xml'), `<settings>${settings}</settings>`);
  };
  const mirror = (mirrorOf: string, more = ''): string =>
    `<mirrors><mirror><id>ours</id><mirrorOf>${mirrorOf}</mirrorOf><url>https://maven.example.org/all/</url>${more}</mirror></mirrors>`;

  it('is Maven Central, unless the settings name a mirror of it', () => {
    const none = mavenRegistry({}, join(home, 'nobody'));
    assert.match(none.url, /^https:\/\/repo\.maven\.apache\.org\/maven2$/);
    assert.equal(none.localRepository, join(home, 'nobody', '.m2', 'repository'));
    for (const [mirrorOf, isOurs] of [
      ['*', true],
      ['central', true],
      ['external:*', true],
      ['others,central', true],
      ['*,!central', false],
      ['external:http:*', false],
      ['others', false],
    ] as const) {
      write(mirror(mirrorOf));
      assert.equal(mavenRegistry({}, home).url === 'https://maven.example.org/all', isOurs, mirrorOf);
    }
    write(mirror('*', '<blocked>true</blocked>'));
    assert.equal(mavenRegistry({}, home).url, none.url);
    write(`<!-- ${mirror('*')} -->`);
    assert.equal(mavenRegistry({}, home).url, none.url);
  });

  it('is called with the credentials of the mirror, and with no others', () => {
    const server =
      '<servers><server><id>ours</id><username>ci</username><password>${env.WORD}</password></server></servers>';
    write(`${mirror('central')}${server}<localRepository>\${user.home}/jars</localRepository>`);
    const { authorization, localRepository } = mavenRegistry({ WORD: 'a&b' }, home);
    assert.equal(authorization, `Basic ${Buffer.from('ci:a&b').toString('base64')}`);
    assert.equal(localRepository, join(home, 'jars'));
    const elsewhere = mavenRegistry({ MAVEN_REPOSITORY_URL: 'https://other.example.org/', WORD: 'x' }, home);
    assert.deepEqual([elsewhere.url, elsewhere.authorization], ['https://other.example.org', undefined]);
  });
});
