/** An index as Elasticsearch creates it from a view's declaration. */
import type { estypes } from '@elastic/elasticsearch';
import type { IndexAnalysis } from '../../ports/views/index-definition';
import type { IndexView } from '../../ports/views/view-store';
import { erasureMappings } from './erasure-fields';
import { marked } from './index-marker';
import { writeAlias } from './index-names';

/** Elasticsearch refuses filters that make more grams of a word than the index allows. */
const gramLimits = ({ filter = {} }: IndexAnalysis) => {
  const filters = Object.values(filter);
  const grams = filters.flatMap((one) => (one.type === 'ngram' ? [one.max_gram - one.min_gram] : []));
  const shingles = filters.flatMap((one) =>
    one.type === 'shingle' ? [one.max_shingle_size - one.min_shingle_size] : [],
  );
  return {
    ...(grams.length === 0 ? {} : { max_ngram_diff: Math.max(1, ...grams) }),
    ...(shingles.length === 0 ? {} : { max_shingle_diff: Math.max(3, ...shingles) }),
  };
};

export const indexBody = ({ mappings: own, settings = {}, personal }: IndexView, index: string) => {
  const { shards = 1, refreshSeconds = 1, deletedVersionSeconds, analysis } = settings;
  const mappings = personal === true ? { ...own, ...erasureMappings } : own;
  return {
    settings: {
      number_of_shards: shards,
      auto_expand_replicas: '0-1',
      refresh_interval: `${refreshSeconds}s`,
      ...(deletedVersionSeconds === undefined ? {} : { gc_deletes: `${deletedVersionSeconds}s` }),
      ...(analysis === undefined ? {} : { analysis, ...gramLimits(analysis) }),
    } as estypes.IndicesIndexSettings,
    mappings: { dynamic: 'strict', _meta: marked, properties: mappings } as estypes.MappingTypeMapping,
    aliases: { [writeAlias(index)]: {} },
  };
};
