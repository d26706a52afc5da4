/** Where jars come from: the registry and the local repository that Maven's settings name, as Maven itself would choose; Maven Central by default. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface MavenRegistry {
  /** Without a slash at its end. */
  readonly url: string;
  /** Value of the header Authorization. */
  readonly authorization: string | undefined;
  /** Directory of jars that Maven has fetched before. */
  readonly localRepository: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const central = 'https://repo.maven.apache.org/maven2';

/** Without comments, in which the settings that Maven comes with have examples. */
const settingsAt = (path: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '') : '';

/** The person's come first, as they take precedence. */
const settingsFiles = (env: Environment, home: string): readonly string[] => {
  const installation = env.MAVEN_HOME ?? env.M2_HOME;
  return [
    join(home, '.m2', 'settings.xml'),
    ...(installation === undefined ? [] : [join(installation, 'conf', 'settings.xml')]),
  ];
};

const elements = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, content = '']) => content);

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

const textOf = (xml: string, name: string, env: Environment, home: string): string | undefined => {
  const [content] = elements(xml, name);
  if (content === undefined) return undefined;
  return unescaped(content.trim())
    .replaceAll(/\$\{env\.([^}]+)\}/g, (_, variable: string) => env[variable] ?? '')
    .replaceAll('${user.home}', home);
};

/** Whether a mirror is of Maven Central (Maven's guide to mirrors). */
const isOfCentral = (mirrorOf: string): boolean => {
  const patterns = mirrorOf.split(',').map((pattern) => pattern.trim());
  if (patterns.includes('!central')) return false;
  return patterns.some((pattern) => pattern === 'central' || pattern === '*' || pattern === 'external:*');
};

/** `MAVEN_REPOSITORY_URL` takes precedence over the settings. */
export const mavenRegistry = (env: Environment = process.env, home: string = homedir()): MavenRegistry => {
  const settings = settingsFiles(env, home).map(settingsAt);
  const textIn = (xml: string, name: string) => textOf(xml, name, env, home);
  const mirror = settings
    .flatMap((xml) => elements(xml, 'mirror'))
    .find((xml) => textIn(xml, 'blocked') !== 'true' && isOfCentral(textIn(xml, 'mirrorOf') ?? ''));
  const id = mirror === undefined ? 'central' : textIn(mirror, 'id');
  const server = settings.flatMap((xml) => elements(xml, 'server')).find((xml) => textIn(xml, 'id') === id);
  const [user, password] = server === undefined ? [] : [textIn(server, 'username'), textIn(server, 'password')];
  const url = env.MAVEN_REPOSITORY_URL || (mirror === undefined ? undefined : textIn(mirror, 'url')) || central;
  const isFromSettings = !env.MAVEN_REPOSITORY_URL;
  return {
    url: url.replace(/\/+$/, ''),
    authorization:
      isFromSettings && user !== undefined
        ? `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`
        : undefined,
    localRepository:
      settings.flatMap((xml) => textIn(xml, 'localRepository') ?? []).find((path) => path !== '') ??
      join(home, '.m2', 'repository'),
  };
};
