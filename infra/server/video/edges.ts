/** Which of several edges a player reads from: the one that answers it fastest, else the one of its region, else the gateway. */
import { createHash } from 'node:crypto';
import { type ConfigOf, listOf, withDefault } from '../runtime/config';

/** `eu-west=https://eu.example`: regions become narrower from left to right. */
const edgeShape = /^([a-z0-9]+(?:-[a-z0-9]+)*)=(https?:\/\/[^\s/,]+)\/?$/;

export const edgeVariables = {
  /** Left out: players read through the gateway. */
  VIDEO_DELIVERY_URLS: withDefault(
    listOf('regions and http(s):// URLs with commas between, `eu-west=https://eu.example`', (item) =>
      edgeShape.test(item),
    ),
    [],
  ),
};

export interface Edge {
  readonly region: string;
  /** Without a slash at its end. */
  readonly url: string;
}

export const readEdges = ({ VIDEO_DELIVERY_URLS: items }: ConfigOf<typeof edgeVariables>): readonly Edge[] =>
  items.flatMap((item) => {
    const [, region, url] = edgeShape.exec(item) ?? [];
    return region === undefined || url === undefined ? [] : [{ region, url }];
  });

export interface EdgeHints {
  /** Where the player is, as `eu-west-1`. */
  readonly region?: string | undefined;
  /** What the player measured, in milliseconds by region. */
  readonly latencies?: Readonly<Record<string, number>> | undefined;
}

const mostLatencies = 20;

/** Of `eu-west:35,us:120`, as a player sends it; what is not of this form is left out. */
export const readLatencies = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .split(',', mostLatencies)
      .map((item) => /^([a-z0-9-]{1,63}):(\d{1,6})$/.exec(item.trim()))
      .flatMap((found) => (found === null ? [] : [[found[1] ?? '', Number(found[2])] as const])),
  );

/** Edges of one region share its videos, so that each has few of them and those for long. */
const scoreOf = ({ url }: Edge, videoId: string): string =>
  createHash('sha256').update(`${videoId}\n${url}`).digest('hex');

const oneOf = (edges: readonly Edge[], videoId: string): Edge | undefined =>
  edges.toSorted((one, other) => (scoreOf(one, videoId) < scoreOf(other, videoId) ? -1 : 1))[0];

/** How many parts of the region's name the edge has in common with it; 0 where the edge's own region is another one. */
const nearness = (edge: Edge, region: string): number =>
  region === edge.region || region.startsWith(`${edge.region}-`) ? edge.region.split('-').length : 0;

const nearest = (edges: readonly Edge[], { region = '', latencies = {} }: EdgeHints): readonly Edge[] => {
  const measured = edges.filter((edge) => Object.hasOwn(latencies, edge.region));
  if (measured.length > 0) {
    const least = Math.min(...measured.map((edge) => latencies[edge.region] ?? 0));
    return measured.filter((edge) => latencies[edge.region] === least);
  }
  const most = Math.max(0, ...edges.map((edge) => nearness(edge, region)));
  // A player whose region no edge has is as near to one as to another.
  return edges.filter((edge) => nearness(edge, region) === most);
};

/** What a signed path is appended to. Empty without edges: the gateway's own address, by a path alone. */
export const edgeBaseUrl = (edges: readonly Edge[], videoId: string, hints: EdgeHints = {}): string =>
  oneOf(nearest(edges, hints), videoId)?.url ?? '';
