/**
 * What an Elasticsearch index is made of, in Elasticsearch's own words. Only what the local server and a full cluster both understand, so
 * that one definition works on either.
 */

/** Filters and tokenizers that need no settings are named in an analyzer directly. */
export type TokenFilter =
  | { readonly type: 'asciifolding'; readonly preserve_original?: boolean }
  | {
      readonly type: 'edge_ngram' | 'ngram';
      readonly min_gram: number;
      readonly max_gram: number;
      readonly preserve_original?: boolean;
    }
  | { readonly type: 'length'; readonly min?: number; readonly max?: number }
  | { readonly type: 'truncate'; readonly length: number }
  | { readonly type: 'stop'; readonly stopwords: string | readonly string[] }
  | { readonly type: 'shingle'; readonly min_shingle_size: number; readonly max_shingle_size: number };

/** Replaces parts of the text before it is cut into words: a regular expression of Java, and what takes the place of each match. */
export interface CharacterFilter {
  readonly type: 'pattern_replace';
  readonly pattern: string;
  readonly replacement: string;
}

export interface Analyzer {
  readonly type: 'custom';
  /** Names of filters that the analysis declares. */
  readonly char_filter?: readonly string[];
  readonly tokenizer: 'standard' | 'keyword' | 'whitespace';
  /** `lowercase`, `asciifolding`, `porter_stem`, `stop`, or a filter that the analysis declares. */
  readonly filter: readonly string[];
}

/** Of keyword fields: values that differ only by case or accents become one. */
export interface Normalizer {
  readonly type: 'custom';
  readonly filter: readonly ('lowercase' | 'asciifolding')[];
}

export interface IndexAnalysis {
  readonly char_filter?: { readonly [name: string]: CharacterFilter };
  readonly filter?: { readonly [name: string]: TokenFilter };
  readonly analyzer?: { readonly [name: string]: Analyzer };
  readonly normalizer?: { readonly [name: string]: Normalizer };
}

export interface IndexSettings {
  /** Primary shards; one, if left out. */
  readonly shards?: number;
  /** Seconds until a document written by a rebuild is found; one, if left out. Live writes are found at once. */
  readonly refreshSeconds?: number;
  /** For how long the version of a removed document is known, and so an earlier write of it refused; 60, if left out. */
  readonly deletedVersionSeconds?: number;
  readonly analysis?: IndexAnalysis;
}

type ScalarMapping =
  | { readonly type: 'keyword'; readonly normalizer?: string; readonly ignore_above?: number; readonly index?: false }
  | { readonly type: 'text'; readonly analyzer?: string; readonly search_analyzer?: string; readonly norms?: false }
  | { readonly type: 'long' | 'double' | 'boolean' | 'date' | 'ip' }
  /** A document holds `{ gte, lt }`, or a list of them. A filter finds the ranges that contain a number. */
  | { readonly type: 'integer_range' };

/** Latitude and longitude in degrees, as a document holds a `geo_point`. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

export interface VectorMapping {
  readonly type: 'dense_vector';
  readonly dims: number;
  /** Vectors for `dot_product` have length 1. */
  readonly similarity: 'cosine' | 'dot_product' | 'l2_norm';
  /** The `flat` ones search exactly, without a graph. */
  readonly index_options?: { readonly type: 'hnsw' | 'int8_hnsw' | 'bbq_hnsw' | 'flat' | 'int8_flat' };
}

export type FieldMapping =
  | (ScalarMapping & {
      /** The same value analyzed in other ways, searched as `<field>.<name>`. */
      readonly fields?: { readonly [name: string]: ScalarMapping };
    })
  | { readonly type: 'geo_point' }
  | VectorMapping
  /** Stored, not searched. */
  | { readonly type: 'object'; readonly enabled: false };
