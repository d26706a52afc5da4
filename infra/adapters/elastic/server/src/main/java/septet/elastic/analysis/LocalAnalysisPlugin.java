package septet.elastic.analysis;

import java.util.Map;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** Analysis that a full Elasticsearch has and the published jars lack, under the same names and defaults. */
public final class LocalAnalysisPlugin extends Plugin implements AnalysisPlugin {
    @Override
    public Map<String, AnalysisProvider<CharFilterFactory>> getCharFilters() {
        return Map.of(
                "pattern_replace",
                AnalysisPlugin.requiresAnalysisSettings(
                        (index, environment, name, settings) -> new PatternReplacement(name, settings)));
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
                "asciifolding", (index, environment, name, settings) -> new AsciiFolding(name, settings),
                "edge_ngram", (index, environment, name, settings) -> new EdgeGrams(name, settings),
                "length", (index, environment, name, settings) -> new Lengths(name, settings),
                "ngram", (index, environment, name, settings) -> new Grams(index, name, settings),
                "porter_stem", (index, environment, name, settings) -> new PorterStem(name, settings),
                "truncate", (index, environment, name, settings) -> new Truncation(name, settings));
    }

    @Override
    public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
        return Map.of(
                "keyword",
                        (index, environment, name, settings) ->
                                TokenizerFactory.newFactory(name, KeywordTokenizer::new),
                "whitespace",
                        (index, environment, name, settings) ->
                                TokenizerFactory.newFactory(name, WhitespaceTokenizer::new));
    }
}
